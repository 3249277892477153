import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { softwareVersion } from '../../src/contract/version'
import { checkPassword } from '../../src/domain/users/passwords'
import { oldInstance, upgradeOldInstance } from '../support/old-instance'
import { context, fetchApp } from '../support/test-app'

beforeAll(upgradeOldInstance)

const { answers, files, passwords, sessions, tokens } = oldInstance

function get(path: string, headers: Readonly<Record<string, string>>) {
  return fetchApp(new Request(`https://fieldfare.test${path}`, { headers }))
}

/** A WebFinger document without the links that later versions added. */
function withoutLaterLinks(path: string, answer: unknown): unknown {
  if (!path.startsWith('/.well-known/webfinger')) return answer
  const { links, ...rest } = z
    .looseObject({ links: z.array(z.looseObject({ rel: z.string() })) })
    .parse(answer)
  const later = ['http://ostatus.org/schema/1.0/subscribe', 'https://w3id.org/fep/3b86/']
  return { ...rest, links: links.filter(({ rel }) => !later.some((begin) => rel.startsWith(begin))) }
}

/** A recorded answer with the values that later versions changed on purpose. */
function withLaterValues(path: string, body: unknown): unknown {
  const text = JSON.stringify(body)
    .replace('"max_display_name_length":30', '"max_display_name_length":40')
    .replace('"description_limit":1500', '"description_limit":10000')
    .replace('"thumbnail":{"description":"",', '"thumbnail":{')
    // Replaces the version, which upgrades change.
    .replace(/("software":\{[^}]*"version":)"0\.1\.0"/, `$1"${softwareVersion}"`)
    // Advertised once the image service was found to read them.
    .replaceAll('"image/heic","image/heif",', '')
    .replaceAll('"image/avif",', '')
    // Threads became collections that other servers read; `conversation` is what it was.
    .replaceAll(/"context":"tag:[^"]+\/(\d+)"/g, '"context":"https://fieldfare.test/contexts/$1"')
  const isScheduled = path === '/api/v1/scheduled_statuses'
  // A post without a visibility of its own shows the default of its author.
  return JSON.parse(isScheduled ? text.replaceAll('"visibility":null', '"visibility":"public"') : text)
}

describe('an instance started by an earlier version and upgraded', () => {
  it.each(answers)(
    'still answers $path to $as',
    async ({ as, path, accept = 'application/json', status, body }) => {
      const token = tokens[as]
      const { response } = await get(path, {
        accept,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      })
      expect(response.status).toBe(status)
      const answer = withoutLaterLinks(path, await response.json())
      // As a property, because not every answer is an object.
      expect({ answer }).toMatchObject({ answer: withLaterValues(path, body) })
    },
  )

  it.each(files)('still serves the file $key', async ({ key, type, body }) => {
    const { response } = await get(`/media/${key}`, {})
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    expect((await response.bytes()).toBase64()).toBe(body)
  })

  it.each(Object.entries(sessions))('keeps the browser of %s signed in', async (name, session) => {
    const { response } = await get('/auth/edit', { accept: 'text/html', cookie: `__Host-session=${session}` })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain(`@${name}`)
  })

  it.each(Object.entries(passwords))('accepts the password of %s', async (login, password) => {
    const check = (typed: string) => checkPassword(context(), { login, password: typed, deviceHash: null })
    expect((await check(password))?.username).toBe(login)
    expect(await check(`${password}?`)).toBeNull()
  })
})
