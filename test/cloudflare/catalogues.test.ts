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

describe('catalogues', () => {
  it.each(pageLanguages)('every catalogue is a static file: %s', async (language) => {
    const catalogue = await cataloguesIn(env.ASSETS, silent).load(language)
    expect(Object.keys(catalogue).length > 5).toBe(language !== 'en')
  })

  it('reads each catalogue once', async () => {
    const files = filesWith(Response.json({ Rules: 'Regeln' }))
    const catalogues = cataloguesIn(files, silent)
    expect(await catalogues.load('de')).toEqual({ Rules: 'Regeln' })
    expect(await catalogues.load('de')).toEqual({ Rules: 'Regeln' })
    expect(files.asked).toEqual(['https://assets.invalid/messages/de.json'])
  })

  it.each([
    ['missing', new Response('', { status: 404 })],
    ['no JSON', new Response('<html>')],
    ['of another form', Response.json({ Rules: 7 })],
  ])('serves pages in English where a catalogue is %s, logs it, and reads it again', async (_, answer) => {
    const lines: string[] = []
    const log = { ...silent, error: (line: string) => void lines.push(line) }
    const catalogues = cataloguesIn(filesWith(answer, Response.json({ Rules: 'Regeln' })), log)
    expect(await catalogues.load('de')).toEqual({})
    expect(lines).toEqual(['Failed to read the catalogue of a language'])
    expect(await catalogues.load('de')).toEqual({ Rules: 'Regeln' })
  })
})
