// Script of the profile page: lets people choose the part of a picture that is shown, and sends that part instead of the file.
// Without it the server takes the middle. Animated pictures are sent as they are: a canvas would keep one frame.

const step = 12

const headBytes = 262_144

/** Whether the file is animated: a GIF, or a WebP or PNG that announces an animation before its picture. */
async function isAnimated(file) {
  if (file.type === 'image/gif') return true
  const head = new TextDecoder('latin1').decode(await file.slice(0, headBytes).arrayBuffer())
  if (file.type === 'image/webp') return head.startsWith('VP8X', 12) && (head.charCodeAt(20) & 2) !== 0
  return file.type === 'image/png' && head.split('IDAT', 1)[0].includes('acTL')
}

function prepare(field) {
  const input = field.querySelector('input[type=file]')
  const words = JSON.parse(field.dataset.words)
  const [width, height] = field.dataset.crop.split('x').map(Number)
  const current = field.querySelector('img')

  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  canvas.className = `crop-area picture-${input.name}`
  canvas.tabIndex = 0
  canvas.setAttribute('role', 'img')
  canvas.setAttribute('aria-label', words.area)
  const zoom = document.createElement('input')
  zoom.type = 'range'
  zoom.min = '1'
  zoom.max = '4'
  zoom.step = '0.01'
  zoom.id = `${input.id}-zoom`
  const label = document.createElement('label')
  label.htmlFor = zoom.id
  label.textContent = words.zoom
  const note = document.createElement('p')
  note.className = 'muted'
  note.setAttribute('role', 'status')
  const area = document.createElement('div')
  area.className = 'crop'
  area.append(canvas, label, zoom)
  area.hidden = true
  input.after(area, note)

  let picture = null
  let center = { x: 0, y: 0 }

  const scale = () => Math.max(width / picture.width, height / picture.height) * Number(zoom.value)

  function draw() {
    const factor = scale()
    const half = { x: width / 2 / factor, y: height / 2 / factor }
    center = {
      x: Math.min(Math.max(center.x, half.x), picture.width - half.x),
      y: Math.min(Math.max(center.y, half.y), picture.height - half.y),
    }
    const context = canvas.getContext('2d')
    context.clearRect(0, 0, width, height)
    context.imageSmoothingQuality = 'high'
    context.drawImage(
      picture,
      center.x - half.x,
      center.y - half.y,
      half.x * 2,
      half.y * 2,
      0,
      0,
      width,
      height,
    )
  }

  /** Moves the part by pixels of the screen. */
  function move(x, y) {
    const factor = scale() * (canvas.clientWidth / width)
    center = { x: center.x - x / factor, y: center.y - y / factor }
    draw()
  }

  async function open() {
    picture?.close()
    picture = null
    area.hidden = true
    note.textContent = ''
    const [file] = input.files
    if (current !== null) current.hidden = file !== undefined
    if (file === undefined) return
    if (await isAnimated(file)) {
      note.textContent = words.animated
      return
    }
    try {
      picture = await createImageBitmap(file)
    } catch {
      note.textContent = words.unreadable
      return
    }
    center = { x: picture.width / 2, y: picture.height / 2 }
    zoom.value = '1'
    area.hidden = false
    draw()
  }

  input.addEventListener('change', open)
  zoom.addEventListener('input', draw)
  canvas.addEventListener('keydown', (event) => {
    const ways = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] }
    const way = ways[event.key]
    if (way === undefined) return
    event.preventDefault()
    move(...way)
  })
  canvas.addEventListener('pointerdown', (event) => canvas.setPointerCapture(event.pointerId))
  canvas.addEventListener('pointermove', (event) => {
    if (canvas.hasPointerCapture(event.pointerId)) move(event.movementX, event.movementY)
  })

  /** Puts the chosen part in place of the file. */
  return async () => {
    if (picture === null) return
    const part = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
    if (part === null) return
    const files = new DataTransfer()
    files.items.add(new File([part], `${input.name}.png`, { type: 'image/png' }))
    input.files = files.files
    picture = null
  }
}

const fields = [...document.querySelectorAll('[data-crop]')]
const crops = fields.map(prepare)
const form = fields[0]?.closest('form')
let isCutting = false
let isCut = false
form?.addEventListener('submit', async (event) => {
  if (isCut) {
    isCut = false
    return
  }
  event.preventDefault()
  if (isCutting) return
  isCutting = true
  try {
    for (const crop of crops) await crop()
  } finally {
    isCutting = false
    isCut = true
    // By the button that was pressed: it may have a path of its own. A form that is being submitted ignores it until later.
    setTimeout(() => form.requestSubmit(event.submitter))
  }
})
