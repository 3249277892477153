// Script of the pages with charts: names the day and the number of a bar that is pointed at, or reached by keys.
// Without it the table below each chart has the same numbers.

const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 7, PageDown: -7 }

function prepare(chart) {
  const bars = [...chart.querySelectorAll('rect')]
  if (bars.length === 0) return
  // Browsers would show titles as well, a second later.
  const names = bars.map((bar) => {
    const title = bar.querySelector('title')
    title.remove()
    return title.textContent
  })
  const last = bars.length - 1
  let current = last

  const caption = document.createElement('span')
  caption.className = 'measure-day'
  // Screen readers hear the value of the slider.
  caption.setAttribute('aria-hidden', 'true')
  chart.closest('figure').querySelector('figcaption').append(caption)

  chart.tabIndex = 0
  chart.setAttribute('role', 'slider')
  chart.setAttribute('aria-label', chart.dataset.chart)
  chart.setAttribute('aria-valuemin', '0')
  chart.setAttribute('aria-valuemax', String(last))

  function choose(index) {
    bars[current].classList.remove('is-named')
    current = Math.min(Math.max(index, 0), last)
    chart.setAttribute('aria-valuenow', String(current))
    chart.setAttribute('aria-valuetext', names[current])
  }

  function show(index) {
    choose(index)
    bars[current].classList.add('is-named')
    caption.textContent = names[current]
  }

  function hide() {
    bars[current].classList.remove('is-named')
    caption.textContent = ''
  }

  function point({ clientX }) {
    const { left, width } = chart.getBoundingClientRect()
    show(Math.floor(((clientX - left) / width) * bars.length))
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
    const next = { Home: 0, End: last }[event.key] ?? current + (steps[event.key] ?? Number.NaN)
    if (Number.isNaN(next) || event.ctrlKey || event.altKey || event.metaKey) return
    event.preventDefault()
    show(next)
  })
}

for (const chart of document.querySelectorAll('[data-chart]')) prepare(chart)
