import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readCatalogue } from '../../scripts/lib/messages.mjs'
import { createTranslate } from '../../src/lib/translate'
import { auditFieldText } from '../../src/web/field-texts'
import { problemText, sentences } from '../../src/web/problem-texts'

it('pages say the label of a field, in English too', () => {
  const t = createTranslate<never>('en', readCatalogue('en'))
  expect(problemText(t, 'Ip is not a valid network.')).toBe('IP address or network is not a valid network.')
  expect(problemText(t, "Status ids can't be blank")).toBe("Posts can't be blank")
  expect(problemText(t, 'This appeal has been decided already')).toBe('This appeal has been decided already')
})

it('every field that acts of the domain write into the audit log has a label', () => {
  const names = readdirSync('src/domain', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(`src/domain/${name}`, 'utf8'))
    .filter((text) => text.includes('recordAudit') && !text.includes('export function recordAudit('))
    .flatMap((text) =>
      [...text.matchAll(/\b(?:before|after): \{ ([^{}.]*?) \}/g)].map(([, inside = '']) => inside),
    )
    .flatMap((inside) => inside.split(',').map((part) => part.split(':')[0]?.trim() ?? ''))
    .filter((name) => /^[a-z]\w*$/.test(name))
  expect(names.length).toBeGreaterThan(20)
  expect([...new Set(names)].filter((name) => auditFieldText(name) === null)).toEqual([])
})

it('the sentences that pages translate are those that the source refuses with', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('web/problem-'))
    .map((name) => readFileSync(`src/${name}`, 'utf8').replaceAll("\\'", "'"))
    .join('\n')
  expect([...sentences.keys()].filter((text) => !sources.includes(text))).toEqual([])
})
