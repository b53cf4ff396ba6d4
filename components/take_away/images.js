// Kaleido asks Plotly.toImage for each image. The page's font is not known inside an image, so
// each SVG is given its own copy, and PNGs are painted from that SVG.
const toImage = Plotly.toImage
const face = `@font-face{font-family:"${FONT.family}";font-weight:${FONT.weights};src:url(${FONT.url}) format("woff2")}`
const isFontReady = FONT.url
    ? new FontFace(FONT.family, `url(${FONT.url})`, {weight: FONT.weights}).load().then(own => document.fonts.add(own))
    : Promise.resolve()

async function painted(svg, options) {
    const image = new Image()
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
    await image.decode()
    const canvas = document.createElement("canvas")
    canvas.width = options.width * options.scale
    canvas.height = options.height * options.scale
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height)
    return canvas.toDataURL("image/png").replace("data:image/png;base64,", "")
}

Plotly.toImage = async (figure, options) => {
    await isFontReady
    const drawn = await toImage(figure, {...options, format: "svg", scale: 1, imageDataOnly: true})
    const svg = FONT.url ? drawn.replace(/<svg[^>]*>/, start => `${start}<style>${face}</style>`) : drawn
    return options.format === "svg" ? svg : painted(svg, options)
}
