"""The page's own style, on top of the theme."""

from __future__ import annotations

import streamlit as st

from components.palette import Palette, palette

_CSS = """
.stMainBlockContainer{padding:.9rem 1.75rem 2rem}
header[data-testid=stHeader]{height:2.2rem;min-height:2.2rem;background:transparent;pointer-events:none}
header[data-testid=stHeader] *{pointer-events:auto}
.stVerticalBlock{gap:.7rem}
.st-key-navigation{gap:.2rem}
.st-key-navigation [data-testid=stPageLink-NavLink]{padding:.2rem .6rem}
.st-key-navigation .st-key-here{background:PANEL;border-radius:6px}
.st-key-casebar{border-bottom:1px solid RULE;padding-bottom:.5rem}
.st-key-unseen{display:none}
.st-key-features,.st-key-features .stVerticalBlock{gap:0}
.st-key-features [class*=st-key-row_]{gap:.1rem;flex-wrap:nowrap}
.st-key-features [class*=st-key-row_]>[data-testid=stElementContainer]:first-child{min-width:0;flex:1 1 0}

.st-key-features button{min-height:0;padding:0 .1rem;line-height:1;opacity:.85}
.st-key-features button span{font-size:16px}
.st-key-features [data-testid=stPopoverButton]>div>[aria-hidden=true]{display:none}
.st-key-features [class*=st-key-row_] button [data-testid=stMarkdownContainer],
.st-key-casebar .st-key-previous [data-testid=stMarkdownContainer],
.st-key-casebar .st-key-next [data-testid=stMarkdownContainer]{
  position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.st-key-features [class*=st-key-lock] button[kind=tertiary]:not(:hover):not(:focus-visible){opacity:.5}
.st-key-features [class*=st-key-lock] button[kind=secondary]{
  background:INK;color:GROUND;opacity:1;border:0;padding:1px 0;margin-left:3px;border-radius:3px}
.st-key-features [class*=st-key-limits] button:not(:hover):not(:focus-visible){opacity:.5}
.stMain:focus,.stMain:focus-visible{outline:none;box-shadow:none}
[class*=st-key-linkbox] .stCode>div,
[class*=st-key-linkbox] .stCode>div *{opacity:1 !important;visibility:visible !important}
[class*=st-key-linkbox] .stCode pre{padding-right:3rem}
html[data-copied=link] .st-key-linkbox::before{content:"Copied: it can be pasted now.";font-size:15px}
[data-testid=stPopoverBody]>.stVerticalBlock:empty::before{content:"This is being made ready…";color:QUIET}
.st-key-take-away [kind=tertiary]{min-height:0;padding:0}
.st-key-taken,.st-key-taken .stVerticalBlock{gap:.2rem}
.st-key-taken [kind=tertiary]{min-height:0;padding:.2rem 0}
.stHtml h3{font-size:17px;font-weight:600;padding:0;margin:0}
[class*=st-key-card_]{padding:.7rem 1rem .5rem !important}
[class*=st-key-card_] .stVerticalBlock,[class*=st-key-card_]{gap:.35rem}
[class*=st-key-card_] [data-testid=stCaptionContainer]{margin-bottom:-7px}
.st-key-side .stVerticalBlock{gap:.55rem}
.heading{display:flex;justify-content:space-between;align-items:baseline;gap:1rem}
.heading .method{font-size:13px}
.counts,.ways{font-size:14px;line-height:1.4;padding-top:2px}
.about{font-size:14px;padding-top:2px}
.help{display:inline-block}
.help[open]{display:block}
.help summary{cursor:pointer;text-decoration:underline;text-underline-offset:2px;list-style-position:outside}
.help summary::marker{content:""}
.help div{margin-top:6px;padding:.5rem .8rem;border-radius:6px;line-height:1.45;max-width:50em}
.help p{margin:0 0 .4rem;font-size:14px}
.help p:last-child{margin:0}
.wide{overflow-x:auto}
.ways{border-collapse:collapse;font-size:14px;line-height:1.35}
.ways th,.ways td{border:0;border-top:1px solid RULE;padding:4px 10px 4px 0;text-align:left;vertical-align:top}
.ways thead th{border-top:0;vertical-align:bottom}
.ways th{font-weight:600}
.ways .last th,.ways .last td{border-top:2px solid RULE}
[class*=st-key-diverse_]{flex-wrap:nowrap}
.diverse{font-size:15px;line-height:1.4;overflow-wrap:anywhere}
.sentence{line-height:1.42;max-width:50em}
.readout{min-height:2.84em}
.empty{padding:.9rem 1rem;border-radius:6px;font-size:15px;line-height:1.45}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;font-size:14px;margin:6px 0 !important}
.facts dd{margin:0}
.caveat{font-size:14px;line-height:1.4;margin:4px 0 !important}
.st-key-features .stNumberInput,.st-key-features .stSelectbox,.st-key-features .stDateInput{padding-bottom:.35rem}
.st-key-features>:has(>.st-key-tried){position:sticky;top:0;z-index:5}
.st-key-tried{background:GROUND;padding:.3rem 0 .5rem;border-bottom:1px solid RULE}
.st-key-features .st-key-tried,.st-key-features .st-key-tried .stVerticalBlock{gap:.4rem}
.st-key-features .st-key-tried button{min-height:2.1rem;padding:.2rem .5rem;opacity:1}
.st-key-features .stElementContainer:has(.whole){position:relative;height:0;pointer-events:none}
.whole{position:absolute;left:8.5px;right:62px;bottom:5px;display:flex;align-items:center;overflow:hidden}
.whole{font-size:14px;line-height:18px;overflow-wrap:anywhere}
.st-key-features :has(+.stElementContainer .whole) input:not(:focus){color:transparent !important}
.st-key-features :has(input:focus)+.stElementContainer .whole{visibility:hidden}
.tried{font-size:16px;line-height:1.42}
.row{font-size:14px;line-height:22px;display:flex;justify-content:space-between;gap:8px;overflow-wrap:anywhere}
.row span:first-child{flex:1 0 42%}
.row span:last-child{text-align:right}
.change{padding:4px 0 5px;line-height:1.3;font-size:15px;overflow-wrap:anywhere}
.change b{font-weight:600}
[data-variant=segmented_control][aria-checked=true],[data-variant=segmented_control][aria-checked=true] *,
[data-testid=stSliderThumbValue],[data-testid=stSliderThumbValue] *,
.st-key-side [aria-checked=true] *,.st-key-side [aria-pressed=true],
.st-key-side [aria-pressed=true] *{color:INK !important}
.st-key-casebar>:has(.track){flex:1 1 0;min-width:200px}
.st-key-casebar>:has(.sides){flex:0 1 auto}
.track{position:relative;height:58px;margin:0 14px}
.track i{position:absolute;display:block}
.track .rail{top:27px;height:4px;border-radius:2px}
.track .line{top:18px;width:2px;height:22px;margin-left:-1px}
.track .mark{top:21px;width:16px;height:16px;margin-left:-8px;border-radius:50%;border:3px solid;box-sizing:border-box}
.track span{position:absolute;white-space:nowrap}
.track .above{top:-3px;font-size:15px;font-weight:600}
.track .below{top:41px;font-size:13px}
.track .centred{transform:translateX(-50%)}
.track .leftwards{transform:translateX(calc(-100% - 2px))}
.track .rightwards{transform:translateX(2px)}
.sides{font-size:20px;line-height:1.2;font-weight:600;max-width:14em;padding:0 6px}
.stPlotlyChart{min-width:600px}
[class*=st-key-card_]{overflow-x:auto}
.st-key-beside{padding-top:.4rem}
.st-key-beside::before{content:"Beside this";font-size:14px;color:QUIET;align-self:center}
table.beside{border-collapse:collapse;width:100%;font-size:14px;line-height:1.35;margin:4px 0 6px}
table.beside th{font-weight:400;text-align:left}
table.beside th,table.beside td{padding:4px 10px 4px 0;border-top:1px solid GRID;vertical-align:top}
table.beside td{overflow-wrap:anywhere}
table.beside thead th{border-top:0;font-weight:600}
.st-key-card_columns{overflow:visible}
.st-key-schema .stColumn:first-child{flex:1 1 0;min-width:0}
.st-key-schema .stColumn:last-child{flex:0 0 436px}
@media (min-width:1100px){
  .st-key-schema .stColumn:first-child{position:sticky;top:2.4rem;align-self:flex-start}
}
@media (max-width:1099px){
  .st-key-schema .stHorizontalBlock:has(>.stColumn){flex-wrap:wrap}
  .st-key-schema .stColumn:first-child,.st-key-schema .stColumn:last-child{flex:1 1 100%}
}
@media (min-width:1200px){.st-key-casebar{flex-wrap:nowrap}}
@media (min-width:1400px){.st-key-casebar>:has(.sides){flex-shrink:0} .sides{max-width:17em}}
@media (max-width:1279px){
  .st-key-columns .stHorizontalBlock:has(>.stColumn){flex-wrap:wrap}
  .st-key-columns .stColumn{flex:1 1 26%;min-width:0}
  .st-key-columns .stColumn:nth-child(2){flex-basis:68%}
  .st-key-columns .stColumn:nth-child(3){flex-basis:100%}
}
@media (max-width:899px){.st-key-columns .stColumn{flex-basis:100% !important}}
@media print{.st-key-navigation,.st-key-side button{display:none}}
"""

MOST_FIELD_LINES = 12
"""A field grows to so many lines of a long category."""
_GROWN = ".st-key-features :has(+.stElementContainer .lines_N) .stSelectbox [role=group],.lines_N{height:PXpx}\n"
_CSS += "".join(_GROWN.replace("N", str(n)).replace("PX", str(18 * n + 20)) for n in range(1, MOST_FIELD_LINES + 1))


def current_palette() -> Palette:
    """The colours of the theme that the person has chosen."""
    return palette(st.context.theme.type)


def style(colours: Palette) -> None:
    """Put the style on the page."""
    css = (
        _CSS.replace("PANEL", colours.panel)
        .replace("GROUND", colours.background)
        .replace("RULE", colours.rule)
        .replace("INK", colours.ink)
    )
    css = css.replace("QUIET", colours.ink_secondary).replace("GRID", colours.grid)
    st.html(f"<style>{css}</style>")
