"""From case to case, by the buttons of the case bar and by the arrow keys: each press counts."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components.state import widgets
from components.state.session import of_data

# Streamlit takes several presses of a button for one where they reach it during a run, and its shortcuts are
# deaf while any input has the focus, which a select box and a switch keep after use. So the presses are counted
# here, and what is told is their sum: whichever of several is heard, it is the last. Where this script isn't
# there yet, the buttons do their work alone.
_SCRIPT = """
const STEPS = {previous: -1, next: 1}, KEYS = {ArrowLeft: "previous", ArrowRight: "next"}
const EDITABLE = "input, textarea, select, [contenteditable=true]"
const IDLE = "[role=combobox][aria-expanded=false], [role=switch], [type=checkbox]"
const walk = {}
let listens = false

function step(name, event) {
  if (!walk.tell || !document.querySelector(`.st-key-${name} button:enabled`)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  walk.sum += STEPS[name]
  walk.tell([walk.begun, walk.sum])
}

function press(event) {
  const isPlain = !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
  if (event.key in KEYS && isPlain && !event.defaultPrevented) step(KEYS[event.key], event)
}

function listen() {
  document.addEventListener("click", event => {
    for (const name in STEPS) if (event.target.closest?.(`.st-key-${name} button`)) step(name, event)
  }, true)
  document.addEventListener("keydown", event => { if (event.target.matches?.(IDLE)) press(event) }, true)
  // before the document, where Streamlit listens, and after all that may want the key for itself
  document.body.addEventListener("keydown", event => { if (!event.target.matches?.(EDITABLE)) press(event) })
}

export default function({ setStateValue }) {
  if (!listens) listen()
  listens = true
  walk.begun ??= Date.now()
  walk.sum ??= 0
  const tell = walk.tell = told => setStateValue("walk", told)
  return () => { if (walk.tell === tell) walk.begun = walk.sum = walk.tell = undefined }
}
"""
_walk = st.components.v2.component("walk", js=_SCRIPT, isolate_styles=False)


def walking(order: Sequence[str]) -> None:
    """Let presses of the case bar's buttons, and of left and right, lead along these cases."""
    with st.container(key="walking"):
        walked = _walk(key=widgets.WALK, on_walk_change=of_data(lambda: widgets.walk(order)))
        widgets.note_walk(walked.walk)
