import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const folder = 'src/web/pages/settings'

describe('settings pages', () => {
  const index = readFileSync(`${folder}/index.ts`, 'utf8')
  const list = index.slice(index.indexOf('settingsPages'))
  const files = readdirSync(folder).filter((name) => name !== 'index.ts')

  it.each(files)('%s is in the list of its folder, which is its place in the menu', (file) => {
    const declared = /export const (\w+) = memberPage\(/.exec(readFileSync(`${folder}/${file}`, 'utf8'))?.[1]
    expect(declared, `${file} declares a page`).toBeDefined()
    expect(list).toContain(`  ${declared},\n`)
  })
})
