import { afterEach, describe, expect, it, vi } from 'vitest'
import { Unreachable } from '../../../src/errors'
import {
  type BareFetch,
  guardedHttp,
  type HttpRequest,
  readBody,
  readPieces,
} from '../../../src/lib/outgoing'

/** Lets a test move the timers, those of bodies included. */
function useTimersOfTest(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
}

afterEach(() => {
  vi.useRealTimers()
})

interface Asked {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly redirect: string | undefined
}

type Answer = (asked: Asked) => Response | Promise<Response>

/** Other servers by address, and what they were asked. */
function servers(answers: Readonly<Record<string, Answer>>) {
  const asked: Asked[] = []
  const fetch: BareFetch = async (url, init) => {
    const method = init.method ?? 'GET'
    const one = { url, method, headers: new Headers(init.headers), redirect: init.redirect }
    asked.push(one)
    const answer = answers[url]
    if (answer === undefined) throw new TypeError(`no server at ${url}`)
    return answer(one)
  }
  const rules = { testHosts: [], ownHosts: ['here.test'], userAgent: 'Fieldfare/9 (+https://here.test/)' }
  return { asked, http: guardedHttp(fetch, rules) }
}

const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url,
  headers: {},
  ...more,
})
const text =
  (body: string): Answer =>
  () =>
    new Response(body)
const to =
  (location: string, status = 302): Answer =>
  () =>
    new Response('moved', { status, headers: { location } })

async function bodyOf(answer: Parameters<typeof readBody>[0], patience?: number): Promise<string> {
  return new TextDecoder().decode(await readBody(answer, patience))
}

describe('asking another server', () => {
  it('sends the name of the server in User-Agent, and follows no redirect by itself [T-666]', async () => {
    const { asked, http } = servers({ 'https://a.test/': text('here') })
    const answer = await http.send(get('https://a.test/', { headers: { accept: 'text/plain' } }))
    expect(await bodyOf(answer)).toBe('here')
    expect(answer).toMatchObject({ status: 200, url: 'https://a.test/' })
    const [one] = asked
    expect(one?.redirect).toBe('manual')
    expect(Object.fromEntries(one?.headers ?? [])).toEqual({
      accept: 'text/plain',
      'user-agent': 'Fieldfare/9 (+https://here.test/)',
    })
  })

  it('never connects to a private address [T-667]', async () => {
    const { asked, http } = servers({})
    for (const url of ['https://127.0.0.1/', 'http://a.test/', 'https://here.test/', '//a.test/'])
      await expect(http.send(get(url))).rejects.toThrow(Unreachable)
    expect(asked).toEqual([])
  })

  it('reports a broken connection as unreachable', async () => {
    const { http } = servers({})
    await expect(http.send(get('https://nobody.test/'))).rejects.toThrow(Unreachable)
  })

  it('aborts a server that does not answer in time', async () => {
    let hungUp = false
    const fetch: BareFetch = (_url, { signal }) =>
      new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => {
          hungUp = true
          reject(new DOMException('aborted', 'AbortError'))
        }),
      )
    const http = guardedHttp(fetch, { testHosts: [], ownHosts: ['here.test'], userAgent: 'x' })
    useTimersOfTest()
    const refused = expect(http.send(get('https://slow.test/'))).rejects.toThrow('No answer within 10000 ms')
    await vi.advanceTimersByTimeAsync(10_000)
    await refused
    expect(hungUp).toBe(true)
  })
})

describe('a redirect', () => {
  const chain = (length: number) =>
    Object.fromEntries([
      ...Array.from(
        { length },
        (_, step) => [`https://a${step}.test/`, to(`https://a${step + 1}.test/`)] as const,
      ),
      [`https://a${length}.test/`, text('found')] as const,
    ])

  it('follows three redirects at most [T-668]', async () => {
    const answer = await servers(chain(3)).http.send(get('https://a0.test/', { redirects: 'follow' }))
    expect([answer.url, await bodyOf(answer)]).toEqual(['https://a3.test/', 'found'])
    const { asked, http } = servers(chain(4))
    await expect(http.send(get('https://a0.test/', { redirects: 'follow' }))).rejects.toThrow(Unreachable)
    expect(asked).toHaveLength(4)
  })

  it.each([
    'https://169.254.169.254/latest/meta-data/',
    'http://b.test/',
    'https://b.test:8443/',
    'https://localhost/',
    'file:///etc/passwd',
    'https://',
    'https://here.test/',
    'https://ada:pw@b.test/',
  ])('checks the target of a redirect like every address: %s [T-669]', async (location) => {
    const { asked, http } = servers({ 'https://a.test/': to(location) })
    await expect(http.send(get('https://a.test/', { redirects: 'follow' }))).rejects.toThrow(Unreachable)
    expect(asked).toHaveLength(1)
  })

  it('follows a relative redirect', async () => {
    const { http } = servers({ 'https://a.test/x/y': to('../z', 301), 'https://a.test/z': text('found') })
    const answer = await http.send(get('https://a.test/x/y', { redirects: 'follow' }))
    expect(answer.url).toBe('https://a.test/z')
  })

  it('sends no signature and secret to a redirect: callers that sign handle it and sign again', async () => {
    const answers = { 'https://a.test/': to('https://b.test/'), 'https://b.test/': text('found') }
    const { asked, http } = servers(answers)
    const headers = { signature: 's', 'signature-input': 'i', authorization: 'a', cookie: 'c', accept: 'x' }
    await http.send(get('https://a.test/', { redirects: 'follow', headers }))
    expect([...(asked[1]?.headers.keys() ?? [])]).toEqual(['accept', 'user-agent'])
    const answer = await http.send(get('https://a.test/', { redirects: 'answer', headers }))
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://b.test/'])
  })

  it('refuses a redirect by default, and always for a POST [T-670]', async () => {
    const { asked, http } = servers({
      'https://a.test/': to('https://b.test/', 307),
      'https://b.test/': text(''),
    })
    await expect(http.send(get('https://a.test/'))).rejects.toThrow(Unreachable)
    const post: HttpRequest = {
      method: 'POST',
      url: 'https://a.test/',
      headers: {},
      body: '{}',
      redirects: 'follow',
    }
    await expect(http.send(post)).rejects.toThrow(Unreachable)
    expect(asked.map(({ url }) => url)).toEqual(['https://a.test/', 'https://a.test/'])
  })
})

/** A body of `count` pieces of 1,000 bytes. */
function pieces(count: number, waitMilliseconds = 0): Response {
  let sent = 0
  const body = new ReadableStream({
    async pull(controller) {
      if (sent === count) return controller.close()
      sent += 1
      if (waitMilliseconds > 0) await new Promise((resolve) => setTimeout(resolve, waitMilliseconds))
      controller.enqueue(new Uint8Array(1_000))
    },
  })
  return new Response(body)
}

describe('a body', () => {
  const sending = (answer: Answer, more: Partial<HttpRequest> = {}) =>
    servers({ 'https://a.test/': answer }).http.send(get('https://a.test/', more))

  it('aborts a body beyond the limit, however long it would be', async () => {
    const most = { maxBytes: 5_000 }
    expect((await readBody(await sending(() => pieces(5), most))).byteLength).toBe(5_000)
    await expect(readBody(await sending(() => pieces(6), most))).rejects.toThrow(Unreachable)
    await expect(readBody(await sending(() => pieces(1_000_000), most))).rejects.toThrow(Unreachable)
  })

  it('limits a body to 1 MiB by default', async () => {
    await expect(readBody(await sending(() => pieces(1_049)))).rejects.toThrow(Unreachable)
    expect((await readBody(await sending(() => pieces(1_048)))).byteLength).toBe(1_048_000)
  })

  it('does not start reading a body whose declared length exceeds the limit', async () => {
    const large = () => new Response('x', { headers: { 'content-length': '2000000' } })
    await expect(sending(large)).rejects.toThrow(Unreachable)
  })

  it('aborts a body that stalls', async () => {
    useTimersOfTest()
    const answer = await sending(() => pieces(2, 2_000), { timeoutMilliseconds: 1_000 })
    const refused = expect(readBody(answer)).rejects.toThrow('No answer within 1000 ms')
    await vi.advanceTimersByTimeAsync(1_000)
    await refused
  })

  it('aborts a body that does not complete in time, also a trickle [T-671]', async () => {
    useTimersOfTest()
    const answer = await sending(() => pieces(1_000, 10), { timeoutMilliseconds: 1_000 })
    const refused = expect(readBody(answer, 50)).rejects.toThrow('No answer within 50 ms')
    await vi.advanceTimersByTimeAsync(50)
    await refused
  })

  it('reports a broken body as unreachable', async () => {
    const broken = () =>
      new Response(new ReadableStream({ pull: (controller) => controller.error(new TypeError('reset')) }))
    await expect(readBody(await sending(broken))).rejects.toThrow(Unreachable)
  })
})

describe('the beginning of a body', () => {
  it('reads only the beginning of a longer body on request', async () => {
    const { http } = servers({ 'https://a.test/': text('x'.repeat(5_000)) })
    const cut = await http.send(get('https://a.test/', { maxBytes: 1_000, tooLong: 'cut' }))
    expect(await bodyOf(cut)).toHaveLength(1_000)
    const whole = await http.send(get('https://a.test/', { maxBytes: 5_000, tooLong: 'cut' }))
    expect(await bodyOf(whole)).toHaveLength(5_000)
  })

  it('passes on pieces until there is enough, and cancels the rest', async () => {
    const taken: string[] = []
    let isCancelled = false
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('piece')),
      cancel() {
        isCancelled = true
      },
    })
    const take = (piece: Uint8Array) => taken.push(new TextDecoder().decode(piece)) === 3
    await readPieces({ url: 'https://a.test/', body }, take)
    expect(taken).toEqual(['piece', 'piece', 'piece'])
    expect(isCancelled).toBe(true)
  })

  it('aborts a beginning that does not arrive in time, whatever its size', async () => {
    useTimersOfTest()
    const body = new ReadableStream({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 20))
        controller.enqueue(new Uint8Array(1))
      },
    })
    const read = readPieces({ url: 'https://a.test/', body }, () => false, 100)
    const refused = expect(read).rejects.toThrow('No answer within 100 ms')
    await vi.advanceTimersByTimeAsync(100)
    await refused
  })
})

describe('the count of requests', () => {
  it('counts every redirect, and nothing that was not requested', async () => {
    const { http } = servers({ 'https://a.test/': to('https://b.test/'), 'https://b.test/': text('b') })
    await http.send(get('https://a.test/', { redirects: 'follow' }))
    await expect(http.send(get('https://127.0.0.1/'))).rejects.toThrow(Unreachable)
    expect(http.sent()).toBe(2)
  })
})
