"""What a person does counts, whatever follows at once: a mend of Streamlit 1.67."""

from __future__ import annotations

from functools import wraps
from typing import Any

from streamlit.runtime.state import SafeSessionState

_call_callbacks = SafeSessionState.on_script_will_rerun


@wraps(_call_callbacks)
def _call_all_callbacks(self: SafeSessionState, *args: Any, **kwargs: Any) -> None:
    give_up_if_outdated = self._yield_callback
    object.__setattr__(self, "_yield_callback", lambda: None)
    try:
        _call_callbacks(self, *args, **kwargs)
    finally:
        object.__setattr__(self, "_yield_callback", give_up_if_outdated)


def keep_acts_whole() -> None:
    """Let a run give up for the person's next act only once the callbacks of its own are through.

    Streamlit gives a run up wherever that looks into ``st.session_state``, and so half way
    through a callback, or even just before it. The act is then forgotten: a lock clicked a
    moment before Next would not hold. When the callbacks are through, Streamlit asks by
    itself whether there is something newer.
    """
    SafeSessionState.on_script_will_rerun = _call_all_callbacks  # type: ignore[method-assign]
