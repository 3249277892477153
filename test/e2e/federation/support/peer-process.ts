import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as z from 'zod'
import { askPort, type Door } from './door'
import type { Router } from './router'

export type Spec = 'draft-cavage-http-signatures-12' | 'rfc9421'

/** A Fedify server in a process of its own. */
export interface FedifyPeer {
  readonly host: string
  readonly handle: string
  readonly uri: string
  /** Carries out a command of `fedify/peer.ts`. */
  command(name: string, facts?: Readonly<Record<string, string>>): Promise<Record<string, unknown>>
  /** Activities its inbox took, oldest first. */
  seen(): Promise<readonly z.output<typeof Seen>[]>
  close(): Promise<void>
}

const Seen = z.object({
  type: z.string(),
  id: z.string().nullable(),
  actor: z.string().nullable(),
  object: z.string().nullable(),
  content: z.string().nullable(),
})

const script = join(import.meta.dirname, '../fedify/peer.ts')

/** Starts the peer at `https://<host>`; `spec` is the signature it tries first. */
export async function openFedifyPeer(
  router: Router,
  door: Door,
  host: string,
  spec: Spec,
): Promise<FedifyPeer> {
  const folder = await mkdtemp(join(tmpdir(), 'fieldfare-peer-'))
  const authority = join(folder, 'authority.pem')
  await writeFile(authority, door.authority)
  const child = spawn(process.execPath, [script, host, spec], {
    env: {
      ...process.env,
      HTTPS_PROXY: door.proxy,
      https_proxy: door.proxy,
      NO_PROXY: '',
      no_proxy: '',
      NODE_USE_ENV_PROXY: '1',
      NODE_EXTRA_CA_CERTS: authority,
      NODE_NO_WARNINGS: '1',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const first = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    child.once('exit', (code) => reject(new Error(`The peer ended with ${code} before it listened`)))
  })
  const { port } = z.object({ port: z.number() }).parse(JSON.parse(first))
  router.add(host, (request) => askPort(port, host, request))

  async function control(command: object): Promise<unknown> {
    const request = new Request(`http://127.0.0.1:${port}/control`, {
      method: 'POST',
      body: JSON.stringify(command),
    })
    const answer = await askPort(port, host, request)
    const body: unknown = await answer.json()
    if (answer.status !== 200) throw new Error(`The peer could not: ${JSON.stringify({ command, body })}`)
    return body
  }

  return {
    host,
    handle: `fern@${host}`,
    uri: `https://${host}/users/fern`,
    command: async (name, facts = {}) =>
      z.record(z.string(), z.unknown()).parse(await control({ do: name, ...facts })),
    seen: async () => z.array(Seen).parse(await control({ do: 'seen' })),
    close: async () => {
      child.stdin.end()
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
