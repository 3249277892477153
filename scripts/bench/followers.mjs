// Followers on other servers, written into the database of an instance.

/** Lets an account on each host follow `target`, by its shared inbox. */
export async function followFromEach(hosts, { instance, target }) {
  const now = Date.now()
  for (const [index, host] of hosts.entries()) {
    const id = index + 1
    const uri = `https://${host}/users/reader`
    await instance.query(
      `insert into accounts (id, username, domain, uri, created_at, updated_at) values (?, 'reader', ?, ?, ?, ?)`,
      id,
      host,
      uri,
      now,
      now,
    )
    await instance.query(
      'insert into remote_actors (account_id, inbox, shared_inbox, fetched_at) values (?, ?, ?, ?)',
      id,
      `${uri}/inbox`,
      `https://${host}/inbox`,
      now,
    )
    await instance.query(
      'insert into follows (id, account_id, target_account_id, created_at) values (?, ?, ?, ?)',
      id,
      id,
      Number(target),
      now,
    )
  }
}
