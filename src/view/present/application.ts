import type { Application, CredentialApplication } from '../../contract/entities/application'
import type { applications } from '../../db/schema'

type ApplicationRow = typeof applications.$inferSelect

export function presentApplication(row: ApplicationRow, vapidKey: string): Application {
  return {
    id: String(row.id),
    name: row.name,
    website: row.website,
    scopes: row.scopes.split(' '),
    redirect_uris: [...row.redirectUris],
    redirect_uri: row.redirectUris.join('\n'),
    vapid_key: vapidKey,
  }
}

/** Presents an application with its credentials, which are shown this once. */
export function presentCredentials(
  row: ApplicationRow,
  vapidKey: string,
  secret: string,
): CredentialApplication {
  return {
    ...presentApplication(row, vapidKey),
    client_id: row.clientId,
    client_secret: secret,
    client_secret_expires_at: 0,
  }
}
