// Secrets of the deployment of a folder, in a file that git does not track.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDeployment } from './record.mjs'

export const secretsFile = 'secrets.local.json'

/** The secrets, where the set-up token is among them, which an operator may have taken away; else null. */
export function secretsWithToken(folder) {
  const file = join(folder, secretsFile)
  const secrets = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  return secrets.SETUP_TOKEN === undefined ? null : secrets
}

/** Set-up token of the server at `origin`, where `folder` deployed that one; else null. */
export function deployedToken(folder, origin) {
  const deployment = readDeployment(folder)
  if (deployment === null || origin !== `https://${deployment.domain}`) return null
  return secretsWithToken(folder)?.SETUP_TOKEN ?? null
}
