// The icons that pages use, taken from lucide-static: one symbol each, its notice on top.
import { readFileSync } from 'node:fs'

const folder = 'node_modules/lucide-static'
const { version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))

/** The names that src/web/components/icon.tsx lists. */
export function iconNames() {
  const [, list] =
    /const iconNames = \[([^\]]+)\]/.exec(readFileSync('src/web/components/icon.tsx', 'utf8')) ?? []
  return [...(list ?? '').matchAll(/'([\w-]+)'/g)].map(([, name]) => name)
}

/** The sprite as public/assets serves it. */
export function sprite() {
  const symbols = iconNames().map(
    (name) => `<symbol id="${name}" viewBox="0 0 24 24">${shapesOf(name)}</symbol>`,
  )
  const notice = `<!-- Lucide ${version}, ISC licence, Copyright (c) Lucide Icons and Contributors; parts MIT, Copyright (c) Cole Bemis (Feather) -->`
  return `<svg xmlns="http://www.w3.org/2000/svg">\n${notice}\n${symbols.join('\n')}\n</svg>\n`
}

function shapesOf(name) {
  const file = readFileSync(`${folder}/icons/${name}.svg`, 'utf8')
  const [, shapes] = /<svg[^>]*>([\s\S]*)<\/svg>/.exec(file) ?? []
  return shapes
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?(<|>) ?/g, '$1')
    .replaceAll(' />', '/>')
    .trim()
}
