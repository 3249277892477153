import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { cataloguesIn } from '../../src/cloudflare/catalogues'
import { pageLanguages } from '../../src/lib/page-language'

const silent = { info: () => undefined, error: () => undefined }

/** Static files that answer one request after the other, and what was asked of them. */
function filesWith(...answers: readonly Response[]) {
  const asked: string[] = []
  const waiting = [...answers]
  const fetch = async (address: string) => {
    asked.push(address)
    return waiting.shift() ?? new Response('', { status: 500 })
  }
  return { asked, fetch }
}

const rules = { 'field.rules': 'Rules', 'field.server': 'Server' }
const regeln = { 'field.rules': 'Regeln' }
const broken = () => new Response('', { status: 404 })

describe('catalogues', () => {
  it.each(pageLanguages)('every catalogue is a static file: %s', async (language) => {
    const catalogue = await cataloguesIn(env.ASSETS, silent).load(language)
    expect(Object.keys(catalogue).length).toBeGreaterThan(1_000)
  })

  it('fills what a language lacks with English, and reads each catalogue once', async () => {
    const files = filesWith(Response.json(rules), Response.json(regeln))
    const catalogues = cataloguesIn(files, silent)
    const expected = { 'field.rules': 'Regeln', 'field.server': 'Server' }
    expect(await catalogues.load('de')).toEqual(expected)
    expect(await catalogues.load('de')).toEqual(expected)
    expect(await catalogues.load('en')).toEqual(rules)
    expect(files.asked).toEqual([
      'https://assets.invalid/messages/en.json',
      'https://assets.invalid/messages/de.json',
    ])
  })

  it.each([
    ['missing', broken()],
    ['no JSON', new Response('<html>')],
    ['of another form', Response.json({ 'field.rules': 7 })],
  ])('serves pages in English where a catalogue is %s, logs it, and reads it again', async (_, answer) => {
    const lines: string[] = []
    const log = { ...silent, error: (line: string) => void lines.push(line) }
    const catalogues = cataloguesIn(filesWith(Response.json(rules), answer, Response.json(regeln)), log)
    expect(await catalogues.load('de')).toEqual(rules)
    expect(lines).toEqual(['Failed to read the catalogue of a language'])
    expect(await catalogues.load('de')).toEqual({ ...rules, ...regeln })
  })

  it('serves empty catalogues without English, and reads them again', async () => {
    const catalogues = cataloguesIn(filesWith(broken(), broken(), broken(), Response.json(rules)), silent)
    expect(await catalogues.load('en')).toEqual({})
    expect(await catalogues.load('de')).toEqual({})
    expect(await catalogues.load('en')).toEqual(rules)
  })
})
