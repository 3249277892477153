import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { main } from '../../scripts/lib/command-line/main.mjs'

export interface Order {
  readonly method: string
  readonly path: string
  readonly token: string
  readonly body: unknown
}

export interface Printed {
  readonly code: number
  readonly failed: boolean
  readonly out: string
  readonly problem: string
}

/** Runs the command line in this process, at a terminal where nobody answers unless `answers` says what. */
export async function runCommand(
  words: readonly string[],
  { env = {}, answers = null }: { env?: Record<string, string>; answers?: readonly string[] | null } = {},
): Promise<Printed> {
  const [out, problem, left]: [string[], string[], string[]] = [[], [], [...(answers ?? [])]]
  const answer = async () => left.shift() ?? ''
  const code = await main(words, {
    env,
    isInteractive: answers !== null,
    print: (text) => void out.push(text),
    complain: (text) => void problem.push(text),
    ask: answer,
    askSecret: answer,
    showProgress: null,
  })
  return { code, failed: code !== 0, out: out.join(''), problem: problem.join('') }
}

/** A call of the administration API, below /api/fieldfare/v1/admin unless it names another. */
export function sent(method: string, path: string, body: unknown = method === 'GET' ? null : {}): Order {
  const whole = path.startsWith('/') ? path : `/api/fieldfare/v1/admin/${path}`
  return { method, path: whole, token: 'Bearer secret', body }
}

interface Answer {
  readonly status: number
  readonly body: unknown
  /** Path of the next page. */
  readonly next?: string
}

/** Answers of an instance in their order, but for those of routes that are asked in no order. */
class Answers {
  readonly #next: Answer[] = []
  readonly #byRoute = new Map<string, Answer>()

  push(...answers: readonly Answer[]): void {
    this.#next.push(...answers)
  }

  set(method: string, path: string, body: unknown): void {
    this.#byRoute.set(`${method} ${path}`, { status: 200, body })
  }

  to(method: string, path: string): Answer {
    return this.#byRoute.get(`${method} ${path}`) ?? this.#next.shift() ?? { status: 200, body: {} }
  }

  clear(): void {
    this.#next.length = 0
    this.#byRoute.clear()
  }
}

/** A stand-in for an instance that a command speaks to: it keeps the orders and answers what was put there. */
export function instanceOf(group: string) {
  const orders: Order[] = []
  const answers = new Answers()

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const text = Buffer.concat(chunks).toString()
    const body: unknown = text === '' ? null : JSON.parse(text)
    const { method = '', url: path = '', headers } = request
    orders.push({ method, path, token: headers.authorization ?? '', body })
    const answer = answers.to(method, path)
    const link =
      answer.next === undefined ? {} : { link: `<https://elsewhere.test${answer.next}>; rel="next"` }
    response.writeHead(answer.status, link).end(JSON.stringify(answer.body))
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
    answers.clear()
  })

  const run = (...words: readonly string[]) =>
    runCommand([group, ...words, '--url', url], { env: { SETUP_TOKEN: 'secret' } })
  return { run, orders, answers }
}
