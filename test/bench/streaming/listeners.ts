/** People who are here, as rows, for measuring streams. Imports nothing, so that Node reads it as it is. */

type Row = Readonly<Record<string, string | number | null>>

export interface Listeners {
  readonly inserts: readonly { readonly text: string; readonly json: string }[]
  readonly clientId: string
  /** Followed by all others. */
  readonly author: { readonly id: number; readonly token: string }
  readonly listeners: readonly { readonly id: number; readonly token: string }[]
}

/** `count` people of this server who follow one author, each with a token. */
export async function listenersOf(count: number, now: Date): Promise<Listeners> {
  const time = now.getTime()
  const id = (index: number) => (time - Date.UTC(2007, 0, 1) - 86_400_000) * 4096 + index
  const clientId = 'bench'
  const people = Array.from({ length: count + 1 }, (_, index) => ({
    id: id(index),
    username: index === 0 ? 'author' : `listener${index}`,
    token: `token-of-person-${index}`,
  }))
  const hashes = await Promise.all(people.map(({ token }) => hashOf(token)))
  const [author, ...listeners] = people
  if (author === undefined) throw new Error('There is nobody to follow')
  const inserts = [
    insert(
      'accounts',
      people.map((one) => ({
        id: one.id,
        username: one.username,
        display_name: one.username,
        created_at: time,
        updated_at: time,
      })),
    ),
    insert(
      'users',
      people.map((one) => ({
        account_id: one.id,
        email: `${one.username}@mail.example`,
        password_hash: 'none',
        confirmed_at: time,
        last_active_at: time,
        created_at: time,
      })),
    ),
    insert('applications', [
      {
        id: id(50_000),
        client_id: clientId,
        client_secret_hash: 'none',
        name: 'Bench',
        scopes: 'read write',
        redirect_uris: '["urn:ietf:wg:oauth:2.0:oob"]',
        created_at: time,
      },
    ]),
    insert(
      'access_tokens',
      people.map((one, index) => ({
        id: id(60_000 + index),
        application_id: id(50_000),
        account_id: one.id,
        scopes: 'read write',
        token_hash: hashes[index] ?? null,
        created_at: time,
        last_used_at: time,
      })),
    ),
    insert(
      'follows',
      listeners.map((one, index) => ({
        id: id(70_000 + index),
        account_id: one.id,
        target_account_id: author.id,
        created_at: time,
      })),
    ),
  ]
  return { inserts, clientId, author, listeners }
}

/** As the server keeps tokens: see domain/sessions/find. */
async function hashOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`token ${token}`))
  const letters = btoa(String.fromCharCode(...new Uint8Array(digest)))
  return letters.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function insert(table: string, rows: readonly Row[]) {
  const columns = Object.keys(rows[0] ?? {})
  const values = columns.map((column) => `value ->> '$.${column}'`)
  return {
    text: `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')} from json_each(?)`,
    json: JSON.stringify(rows),
  }
}
