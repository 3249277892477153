import { rmSync } from 'node:fs'
import * as z from 'zod'
import { type Server, setup, startServer } from '../../../../scripts/lib/server.mjs'
import { freePort, onAbandon } from '../instance'
import { fillInstanceFolder, newInstanceFolder } from '../instance-folder'
import { runPeriodicTasks } from '../operator'
import { Receiver } from '../receiver'
import { writeHurriedConfig } from './config'

const Report = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('retry'), body: z.unknown(), delaySeconds: z.number() }),
  z.object({ kind: z.literal('dead'), body: z.unknown() }),
])
type Report = z.infer<typeof Report>

const Made = z.object({ id: z.string(), token: z.string() })
const Posted = z.object({ id: z.string() })

/** An instance whose retries do not wait, and that a test may kill and start again on what it had stored. */
export class HurriedInstance {
  readonly #folder: string
  readonly #port: number
  readonly #config: string
  readonly #variables: Readonly<Record<string, string>>
  readonly #reports: Receiver
  #server: Server | null = null
  #forget: () => void = () => undefined

  private constructor(folder: string, port: number, config: string, reports: Receiver, testHosts: string) {
    this.#folder = folder
    this.#port = port
    this.#config = config
    this.#reports = reports
    this.#variables = { REPORTS_TO: reports.url('/'), FEDERATION_TEST_HOSTS: testHosts }
  }

  /** Starts an instance that may send requests to `testHosts`. */
  static async open(testHosts: string): Promise<HurriedInstance> {
    const folder = newInstanceFolder('fieldfare-hurried-')
    const port = await freePort()
    const config = writeHurriedConfig()
    await fillInstanceFolder(folder)
    const instance = new HurriedInstance(folder, port, config, await Receiver.open(), testHosts)
    await instance.start()
    await instance.operate('POST', 'owner', { username: 'owner' })
    return instance
  }

  /** Delays of retries and dead letters, oldest first. */
  reports(): readonly Report[] {
    return this.#reports.requests.map(({ bytes }) => Report.parse(JSON.parse(bytes.toString())))
  }

  async start(clockAheadSeconds = 0): Promise<void> {
    const server = await startServer({
      folder: this.#folder,
      port: this.#port,
      config: this.#config,
      variables: { ...this.#variables, CLOCK_AHEAD_SECONDS: clockAheadSeconds },
      logLevel: 'warn',
      inherit: false,
      hasTriggers: true,
    })
    // Unread, full pipes would stop the server.
    for (const stream of [server.child.stdout, server.child.stderr]) stream?.resume()
    this.#server = server
    this.#forget = onAbandon(() => {
      void server.kill()
      this.#remove()
    })
  }

  /** Kills the processes of the instance without notice. */
  async kill(): Promise<void> {
    const server = this.#running()
    this.#forget()
    this.#server = null
    await server.kill()
  }

  async close(): Promise<void> {
    this.#forget()
    await this.#server?.stop()
    await this.#reports.close()
    this.#remove()
  }

  /** Calls the setup API as an operator's command does; anything but 200 fails. */
  async operate(method: string, path: string, body: object): Promise<unknown> {
    const answer = await setup(this.#running(), method, path, body)
    if (answer.status !== 200)
      throw new Error(`${method} /setup/${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  /** Token of a new member. */
  async member(username: string): Promise<string> {
    return Made.parse(await this.operate('POST', 'account', { username, display_name: username })).token
  }

  /** Posts a public status. Returns its id. */
  async post(token: string, status: string): Promise<string> {
    const answer = await fetch(`${this.#running().origin}/api/v1/statuses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ status }),
    })
    if (!answer.ok) throw new Error(`The status was refused: ${answer.status} ${await answer.text()}`)
    return Posted.parse(await answer.json()).id
  }

  runPeriodicTasks(): Promise<void> {
    return runPeriodicTasks(this.#running().origin)
  }

  #running(): Server {
    if (this.#server === null) throw new Error('The instance is not running')
    return this.#server
  }

  #remove(): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
