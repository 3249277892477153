// Pages with charts: names the day and the number of a bar that is pointed at, or reached by keys.
// Without it the table below each chart has the same numbers.
import { barByKey, barByPointer } from './lib/bars'
import { around, find, findAll } from './lib/page'

function prepare(chart: HTMLElement): void {
  const bars = findAll(chart, 'rect', SVGRectElement)
  if (bars.length === 0) return
  // Browsers would show titles as well, a second later.
  const names = bars.map((bar) => {
    const title = find(bar, 'title', SVGTitleElement)
    title.remove()
    return title.textContent ?? ''
  })
  const last = bars.length - 1
  let current = last

  const caption = document.createElement('span')
  caption.className = 'measure-day'
  // Screen readers hear the value of the slider.
  caption.setAttribute('aria-hidden', 'true')
  find(around(chart, 'figure', HTMLElement), 'figcaption', HTMLElement).append(caption)

  chart.tabIndex = 0
  chart.setAttribute('role', 'slider')
  chart.setAttribute('aria-label', chart.dataset['chart'] ?? '')
  chart.setAttribute('aria-valuemin', '0')
  chart.setAttribute('aria-valuemax', String(last))

  function choose(index: number): void {
    bars[current]?.classList.remove('is-named')
    current = index
    chart.setAttribute('aria-valuenow', String(current))
    chart.setAttribute('aria-valuetext', names[current] ?? '')
  }

  function show(index: number): void {
    choose(index)
    bars[current]?.classList.add('is-named')
    caption.textContent = names[current] ?? ''
  }

  function hide(): void {
    bars[current]?.classList.remove('is-named')
    caption.textContent = ''
  }

  function point({ clientX }: PointerEvent): void {
    const { left, width } = chart.getBoundingClientRect()
    show(barByPointer(clientX - left, width, bars.length))
  }

  choose(last)
  chart.addEventListener('pointerdown', point)
  chart.addEventListener('pointermove', point)
  chart.addEventListener('pointerleave', () => {
    if (document.activeElement !== chart) hide()
  })
  chart.addEventListener('focus', () => show(current))
  chart.addEventListener('blur', hide)
  chart.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const next = barByKey(event.key, current, bars.length)
    if (next === null) return
    event.preventDefault()
    show(next)
  })
}

for (const chart of findAll(document, '[data-chart]', HTMLElement)) prepare(chart)
