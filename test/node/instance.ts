import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach } from 'vitest'

export interface Order {
  readonly path: string
  readonly token: string
  readonly body: unknown
}

/** A stand-in for an instance that a command speaks to: it keeps the orders and answers what was put there. */
export function instanceOf(command: string) {
  const script = fileURLToPath(new URL(`../../scripts/${command}.mjs`, import.meta.url).href)
  const orders: Order[] = []
  const answers: { readonly status: number; readonly body: unknown }[] = []

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
    orders.push({ path: request.url ?? '', token: request.headers.authorization ?? '', body })
    const answer = answers.shift() ?? { status: 200, body: {} }
    response.writeHead(answer.status).end(JSON.stringify(answer.body))
  })

  let url = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (typeof address !== 'object' || address === null) throw new Error('no port')
    url = `http://127.0.0.1:${address.port}`
  })
  afterAll(() => void server.close())
  beforeEach(() => {
    orders.length = 0
    answers.length = 0
  })

  function run(...words: readonly string[]) {
    const env = { ...process.env, SETUP_TOKEN: 'secret' }
    return new Promise<{ failed: boolean; out: string; problem: string }>((resolve) =>
      execFile(process.execPath, [script, ...words, '--url', url], { env }, (failure, out, problem) =>
        resolve({ failed: failure !== null, out, problem }),
      ),
    )
  }
  return { run, orders, answers }
}
