// Checks of set-up: asks the chosen domain whether it leads to this server, again and again until it does.
import { readPublicly } from './lib/api'

const betweenMilliseconds = 5_000

for (const item of document.querySelectorAll('[data-reached]')) {
  if (item instanceof HTMLElement) void watch(item)
}

async function watch(item: HTMLElement): Promise<void> {
  const { reached = '', server = '', works = '' } = item.dataset
  const state = item.querySelector('.tag')
  while ((await readPublicly(reached)) !== server)
    await new Promise((resolve) => setTimeout(resolve, betweenMilliseconds))
  if (state === null) return
  state.textContent = works
  state.classList.replace('warn', 'ok')
}
