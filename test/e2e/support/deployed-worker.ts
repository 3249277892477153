import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unstable_splitSqlQuery } from 'wrangler'
import { openStore } from '../../../scripts/lib/backups/local-target.mjs'
import { bundle, type Server, startServer } from '../../../scripts/lib/server.mjs'
import type { AccountApi } from './account-api'
import { freePort } from './instance'
import { fillInstanceFolder } from './instance-folder'

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
  if (imported === '') return fillInstanceFolder(place)
  const { server, database, bucket } = await openStore(place)
  await database.batch(unstable_splitSqlQuery(imported).map((sql) => database.prepare(sql)))
  for (const [key, { bytes, type }] of objects)
    await bucket.put(key, bytes, { httpMetadata: { contentType: type } })
  await server.dispose()
}
