"""The arrow keys, handed on by controls that have no use for them."""

from __future__ import annotations

import streamlit as st

# Streamlit's shortcuts are deaf while any input has the focus, and a select box or a switch keeps it
# after use; the person wants the next case all the same.
_SCRIPT = """
if (!window.flipsideHandsArrowKeysOn) {
  window.flipsideHandsArrowKeysOn = true
  const idle = "[role=combobox][aria-expanded=false], [role=switch], [type=checkbox]"
  document.addEventListener("keydown", event => {
    if (!["ArrowLeft", "ArrowRight"].includes(event.key) || !event.target.matches?.(idle)) return
    event.preventDefault()
    document.body.dispatchEvent(new KeyboardEvent("keydown", event))
    document.body.dispatchEvent(new KeyboardEvent("keyup", event))
  }, true)
}
"""


def arrow_keys() -> None:
    """Let left and right go from case to case after a select box or a switch was used, too."""
    with st.container(key="arrow_keys"):
        st.html(f"<script>{_SCRIPT}</script>", unsafe_allow_javascript=True)
