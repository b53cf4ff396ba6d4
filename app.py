"""Start with ``streamlit run app.py``."""

import sys
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

sys.path.insert(0, str(Path(__file__).resolve().parent))

from components.front_end import FrontEnd
from components.warm_up import warm_up

app = st.App("frame/main.py", lifespan=warm_up, middleware=[Middleware(FrontEnd)])
