// Pages with profile pictures: lets people choose the part of a picture that is shown, and sends that part instead of the
// file. Without it the server takes the middle. Animated pictures are sent as they are: a canvas would keep one frame.
import { find, findAll, wordsIn } from './lib/page'
import { centreWithin, headBytes, isAnimated, type Point, scaleOf } from './lib/picture-part'

/** Pixels of the screen that an arrow key moves the part by. */
const step = 12

const ways: ReadonlyMap<string, Point> = new Map([
  ['ArrowLeft', { x: step, y: 0 }],
  ['ArrowRight', { x: -step, y: 0 }],
  ['ArrowUp', { x: 0, y: step }],
  ['ArrowDown', { x: 0, y: -step }],
])

/** Prepares a field. The function returned puts the chosen part in place of the file. */
function prepare(field: HTMLElement): () => Promise<void> {
  const input = find(field, 'input[type=file]', HTMLInputElement)
  const words = wordsIn(field.dataset, ['area', 'zoom', 'animated', 'unreadable'])
  const [width = 0, height = 0] = (field.dataset['crop'] ?? '').split('x').map(Number)
  const current = field.querySelector('img')

  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  canvas.className = `crop-area picture-${input.name}`
  canvas.tabIndex = 0
  canvas.setAttribute('role', 'img')
  canvas.setAttribute('aria-label', words('area'))
  const zoom = document.createElement('input')
  Object.assign(zoom, { type: 'range', min: '1', max: '4', step: '0.01', id: `${input.id}-zoom` })
  const label = document.createElement('label')
  label.htmlFor = zoom.id
  label.textContent = words('zoom')
  const note = document.createElement('p')
  note.className = 'muted'
  note.setAttribute('role', 'status')
  const area = document.createElement('div')
  area.className = 'crop'
  area.append(canvas, label, zoom)
  area.hidden = true
  input.after(area, note)

  let picture: ImageBitmap | null = null
  let centre: Point = { x: 0, y: 0 }

  function draw(): void {
    const context = canvas.getContext('2d')
    if (picture === null || context === null) return
    const scale = scaleOf(picture, canvas, Number(zoom.value))
    centre = centreWithin(picture, canvas, { scale, wanted: centre })
    const part = { width: width / scale, height: height / scale }
    context.clearRect(0, 0, width, height)
    context.imageSmoothingQuality = 'high'
    const [left, top] = [centre.x - part.width / 2, centre.y - part.height / 2]
    context.drawImage(picture, left, top, part.width, part.height, 0, 0, width, height)
  }

  /** Moves the part by pixels of the screen. */
  function move({ x, y }: Point): void {
    if (picture === null) return
    const factor = scaleOf(picture, canvas, Number(zoom.value)) * (canvas.clientWidth / width)
    centre = { x: centre.x - x / factor, y: centre.y - y / factor }
    draw()
  }

  async function open(): Promise<void> {
    picture?.close()
    picture = null
    area.hidden = true
    note.textContent = ''
    const file = input.files?.[0]
    if (current !== null) current.hidden = file !== undefined
    if (file === undefined) return
    const head = await file.slice(0, headBytes).arrayBuffer()
    if (isAnimated(file.type, new Uint8Array(head))) {
      note.textContent = words('animated')
      return
    }
    try {
      picture = await createImageBitmap(file)
    } catch {
      note.textContent = words('unreadable')
      return
    }
    centre = { x: picture.width / 2, y: picture.height / 2 }
    zoom.value = '1'
    area.hidden = false
    draw()
  }

  input.addEventListener('change', open)
  zoom.addEventListener('input', draw)
  canvas.addEventListener('keydown', (event) => {
    const way = ways.get(event.key)
    if (way === undefined) return
    event.preventDefault()
    move(way)
  })
  canvas.addEventListener('pointerdown', (event) => canvas.setPointerCapture(event.pointerId))
  canvas.addEventListener('pointermove', ({ pointerId, movementX, movementY }) => {
    if (canvas.hasPointerCapture(pointerId)) move({ x: movementX, y: movementY })
  })

  return async () => {
    if (picture === null) return
    const part = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
    if (part === null) return
    const files = new DataTransfer()
    files.items.add(new File([part], `${input.name}.png`, { type: 'image/png' }))
    input.files = files.files
    picture = null
  }
}

const fields = findAll(document, '[data-crop]', HTMLElement)
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
