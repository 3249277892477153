import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../../scripts/lib/backups/local-target.mjs'
import { runWrangler } from '../../../scripts/lib/deploy/wrangler.mjs'
import { bundle, migrate, root, type Server, startServer } from '../../../scripts/lib/server.mjs'
import type { AccountApi } from './account-api'
import { freePort } from './instance'

/** The Worker of an account, run on this machine in `folder` with the secrets that were uploaded. */
export async function startDeployedWorker(
  folder: string,
  { account, domain }: { readonly account: AccountApi; readonly domain: string },
): Promise<Server> {
  const place = join(folder, 'instance')
  mkdirSync(place)
  writeFileSync(join(place, 'secrets.json'), JSON.stringify(Object.fromEntries(account.secrets)))
  const [bundled] = await Promise.all([bundle(place), fill(place, account)])
  const variables = { ORIGIN: `https://${domain}` }
  const order = { folder: place, port: await freePort(), bundled, variables, inherit: false }
  const server = await startServer(order)
  for (const stream of [server.child.stdout, server.child.stderr]) stream?.resume()
  return server
}

/** Rows and objects that the account was given, where the Worker finds them. */
async function fill(place: string, { imported, objects }: AccountApi): Promise<void> {
  if (imported === '') return migrate(place)
  const file = join(place, 'imported.sql')
  writeFileSync(file, imported)
  await runWrangler(root, [
    'd1',
    'execute',
    'DB',
    '--local',
    '--persist-to',
    place,
    '--yes',
    '--file',
    file,
    '--config',
    join(root, 'wrangler.toml'),
  ])
  const { server, bucket } = await openStore(place)
  for (const [key, { bytes, type }] of objects)
    await bucket.put(key, bytes, { httpMetadata: { contentType: type } })
  await server.dispose()
}
