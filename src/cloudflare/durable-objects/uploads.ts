import { DurableObject } from 'cloudflare:workers'
import type { ExecutionContext } from 'hono'

/** Requests that wait for their turn: a client sends the four pictures of a post at once. More are refused. */
const mostWaiting = 8

/**
 * Answers the requests of one account that carry files, one after the other with what follows it. Reading a file, checking it and having
 * it resized takes more computing than a request has on the free plan, and a Durable Object has 30 s.
 */
export abstract class UploadsObject extends DurableObject<Env> {
  #last: Promise<unknown> = Promise.resolve()
  #count = 0

  /** Answers a request that the Worker has admitted. */
  protected abstract answer(request: Request, lifetime: ExecutionContext): Response | Promise<Response>

  /** Answers a request beyond those that wait, whose body is not read. */
  protected abstract refuse(request: Request, lifetime: ExecutionContext): Response | Promise<Response>

  override async fetch(request: Request): Promise<Response> {
    const late: Promise<unknown>[] = []
    const lifetime = {
      waitUntil: (work: Promise<unknown>) => {
        late.push(work)
        this.ctx.waitUntil(work)
      },
      passThroughOnException: () => undefined,
      props: {},
    }
    if (this.#count > mostWaiting) return this.refuse(request, lifetime)
    this.#count += 1
    const turn = this.#last.then(() => this.answer(request, lifetime))
    this.#last = this.#end(turn, late)
    return turn
  }

  /** Late work releases the memory of the body: only then is the turn over. */
  async #end(turn: Promise<Response>, late: Promise<unknown>[]): Promise<void> {
    await Promise.allSettled([turn])
    while (late.length > 0) await Promise.allSettled(late.splice(0))
    this.#count -= 1
  }
}
