// From case to case: presses of the case bar's buttons and of the arrow keys are counted here, as Streamlit takes
// several for one where they reach it during a run. What is told is since when, how many, and where they lead to in sum:
// whichever is heard, it is the last, and one that a page left behind is known to be older.
const STEPS = {previous: -1, next: 1}, KEYS = {ArrowLeft: "previous", ArrowRight: "next"}
const EDITABLE = "input, textarea, select, [contenteditable=true]"
// controls that keep the focus after use and have no use for left and right
const IDLE = "[role=combobox][aria-expanded=false], [role=switch], [type=checkbox]"
const walk = {begun: Date.now(), presses: 0, sum: 0}
let listens = false

function step(name, event) {
  if (!walk.tell || !document.querySelector(`.st-key-${name} button:enabled`)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  delete document.documentElement.dataset.copied
  walk.presses += 1
  walk.sum += STEPS[name]
  walk.tell([walk.begun, walk.presses, walk.sum])
}

function press(event) {
  const isPlain = !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
  if (event.key in KEYS && isPlain && !event.defaultPrevented) step(KEYS[event.key], event)
}

// The first click on "Copy link" copies; where the browser refuses, the link is there to be copied by hand.
async function copyLink() {
  const page = document.documentElement
  delete page.dataset.copied
  try {
    await navigator.clipboard.writeText(location.href)
    page.dataset.copied = "link"
  } catch { /* it has no clipboard for pages that did not come by https, or the person forbade it */ }
}

// After a key was used, Streamlit shows the help of whatever has the focus, for as long as it has it. What was clicked
// needs neither: its help would cover what the click brought.
function letGo(event) {
  const button = event.detail && event.target.closest?.(".stButton button")
  if (button) setTimeout(() => button.blur())
}

function listen() {
  document.addEventListener("click", event => {
    letGo(event)
    for (const name in STEPS) if (event.target.closest?.(`.st-key-${name} button`)) step(name, event)
    if (event.target.closest?.(".st-key-link button[aria-expanded=false]")) copyLink()
  }, true)
  document.addEventListener("keydown", event => { if (event.target.matches?.(IDLE)) press(event) }, true)
  // before the document, where Streamlit listens, and after all that may want the key for itself
  document.body.addEventListener("keydown", event => { if (!event.target.matches?.(EDITABLE)) press(event) })
}

export default function({ setStateValue }) {
  if (!listens) listen()
  listens = true
  const tell = walk.tell = told => setStateValue("walk", told)
  return () => { if (walk.tell === tell) walk.tell = undefined }
}
