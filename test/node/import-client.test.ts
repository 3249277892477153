import { createServer } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { clientOf } from '../../scripts/lib/archives/client.mjs'

const wait = () => Promise.resolve()
let stop = () => undefined
afterEach(() => stop())

/** A server that gives these statuses in their order, and 500 behind them. */
async function serverOf(statuses: readonly number[]): Promise<{ origin: string; asked: () => number }> {
  let asked = 0
  const server = createServer((_request, response) => {
    response.writeHead(statuses[asked] ?? 500).end('{}')
    asked += 1
  })
  stop = () => void server.close()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return { origin: `http://127.0.0.1:${address.port}`, asked: () => asked }
}

it('waits for a rate limit as long as it takes', async () => {
  const { origin } = await serverOf([...Array.from({ length: 20 }, () => 429), 200])
  expect(await clientOf(origin, 'token', { wait }).call('GET', '/')).toEqual({})
})

it('ends after a rate limit where the server then fails', async () => {
  const { origin, asked } = await serverOf(Array.from({ length: 20 }, () => 429))
  await expect(clientOf(origin, 'token', { wait }).call('GET', '/')).rejects.toThrow('fails (500)')
  expect(asked()).toBe(20 + 6)
})
