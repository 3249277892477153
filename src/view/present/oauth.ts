import type { WebPushSubscription } from '../../contract/entities/notification'
import type { Application, CredentialApplication, Token } from '../../contract/entities/oauth'
import type { applications, pushSubscriptions } from '../../db/schema'

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

/** Presents a token to its holder. */
export function presentToken(token: {
  readonly accessToken: string
  readonly scopes: string
  readonly createdAt: Date
  readonly expiresInSeconds: number | null
}): Token {
  return {
    access_token: token.accessToken,
    token_type: 'Bearer',
    scope: token.scopes,
    created_at: Math.floor(token.createdAt.getTime() / 1000),
    ...(token.expiresInSeconds === null ? {} : { expires_in: token.expiresInSeconds }),
  }
}

type PushSubscriptionRow = typeof pushSubscriptions.$inferSelect

/** Presents a subscription to its application: without the keys, which it has. */
export function presentPushSubscription(row: PushSubscriptionRow, serverKey: string): WebPushSubscription {
  const { id, endpoint, standard, alerts, policy } = row
  return { id, endpoint, standard, server_key: serverKey, alerts, policy }
}
