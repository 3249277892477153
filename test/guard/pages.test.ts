import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const folder = 'src/web/pages/settings'

it('the list of pages in each folder has every page that its files declare: run npm run pages', () => {
  execFileSync(process.execPath, ['scripts/pages.mjs', '--check'], { stdio: ['ignore', 'ignore', 'pipe'] })
})

describe('settings pages', () => {
  const files = readdirSync(folder)
    .filter((name) => name !== 'index.ts')
    .map((name) => ({ name, text: readFileSync(`${folder}/${name}`, 'utf8') }))

  it.each(files)('$name declares one', ({ text }) => {
    expect(text.match(/^export const \w+ = memberPage\(/gm)).toHaveLength(1)
  })

  it('settings pages have places in the menu of their own', () => {
    const orders = files.flatMap(({ text }) => /^ {2}menu: \{.*order: (\d+)/m.exec(text)?.[1] ?? [])
    expect(orders.length).toBeGreaterThan(10)
    expect(new Set(orders).size).toBe(orders.length)
  })
})
