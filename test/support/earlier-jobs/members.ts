import { sql } from 'drizzle-orm'
import { Changes, commit } from '../../../src/domain/core/changes'
import { withdrawList } from '../../../src/domain/lists/remove-in-parts'
import type { JobKind } from '../../../src/messages/jobs'
import { fediverse } from '../fediverse'
import { freshName, given } from '../given'
import { storedList } from '../given-list'
import { freshHost, html } from '../given-page'
import { relation } from '../given-relationships'
import { storedNotification, storedStatus } from '../given-stored'
import { storedRow } from '../stored-row'
import { clock, context } from '../test-app'
import { change, type Scenario, stored } from './scenario'

const followsOf = (id: number) => () =>
  stored('select json_group_array(target_account_id) from follows where account_id = ?', id)
const list = (...ids: readonly number[]) => JSON.stringify(ids)

/** Jobs about members: what they follow, are notified of, import, and leave behind. */
export const jobsOfMembers = {
  'accept-follow-requests': async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await relation.followRequest(bob, alice)
    return {
      message: { kind: 'accept-follow-requests', accountId: alice.id },
      seen: followsOf(bob.id),
      before: list(),
      after: list(alice.id),
    }
  },
  'move-followers': async () => {
    const [old, next, fan] = await given.accounts(3)
    if (old === undefined || next === undefined || fan === undefined) throw new Error('nobody')
    await relation.follow(fan, old)
    return {
      message: { kind: 'move-followers', accountId: old.id, targetAccountId: next.id },
      seen: followsOf(fan.id),
      before: list(old.id),
      after: list(next.id),
    }
  },
  'sync-followers': async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    await relation.follow(alice, peer, { uri: `https://fieldfare.test/${freshName('follow')}` })
    return {
      // The list of followers on its server is empty.
      message: { kind: 'sync-followers', accountId: peer.id, url: peer.at.followers },
      seen: followsOf(alice.id),
      before: list(peer.id),
      after: list(),
    }
  },
  'continue-domain-block': async () => {
    const domain = `${freshName('blocked')}.test`
    const [alice, remote] = [await given.account(), await given.remoteAccount({ domain })]
    await relation.follow(alice, remote)
    await storedRow('account_domain_blocks', { account_id: alice.id, domain })
    const severanceId = context().ids.next()
    return {
      message: { kind: 'continue-domain-block', accountId: alice.id, domain, severanceId, after: 0 },
      seen: followsOf(alice.id),
      before: list(remote.id),
      after: list(),
    }
  },
  // Lists were removed by a job of their own.
  'continue-long-task': async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const id = await storedList({ of: alice, members: [bob] })
    const ctx = context()
    const changes = new Changes()
    withdrawList(ctx, changes, sql`id = ${id}`, id)
    await commit(ctx, changes)
    return {
      message: { kind: 'continue-list-removal', listId: id },
      seen: () => stored('select count(*) from lists where id = ?', id),
      before: 1,
      after: 0,
    }
  },
  'continue-notifications': async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const id = await storedNotification({ accountId: alice.id, fromAccountId: bob.id, type: 'follow' })
    return {
      message: {
        kind: 'continue-notifications',
        accountId: alice.id,
        before: id + 1,
        change: { what: 'clear' },
      },
      seen: () => stored('select count(*) from notifications where account_id = ?', alice.id),
      before: 1,
      after: 0,
    }
  },
  'continue-account-deletion': async () => {
    const alice = await given.account({ suspendedAt: clock.now(), user: { disabledAt: clock.now() } })
    return {
      message: { kind: 'continue-account-deletion', accountId: alice.id },
      seen: () => stored('select count(*) from users where account_id = ?', alice.id),
      before: 1,
      after: 0,
    }
  },
  'purge-account-statuses': async () => {
    const alice = await given.account({ suspendedAt: clock.now() })
    await storedStatus({ accountId: alice.id })
    await change('delete from users where account_id = ?', alice.id)
    return {
      message: { kind: 'purge-account-statuses', accountId: alice.id },
      seen: () => stored('select count(*) from statuses where account_id = ?', alice.id),
      before: 1,
      after: 0,
    }
  },
  'verify-links': async () => {
    const url = `https://${freshHost()}/me`
    const alice = await given.account({ fields: [{ name: 'Page', value: url, html: url, verifiedAt: null }] })
    const link = `<a rel="me" href="https://fieldfare.test/@${alice.username}">me</a>`
    fediverse.network.respond(url, () => new Response(link, { headers: html }))
    return {
      message: { kind: 'verify-links', accountId: alice.id },
      seen: () =>
        stored(`select fields ->> '$[0].verifiedAt' is not null from accounts where id = ?`, alice.id),
      before: 0,
      after: 1,
    }
  },
  'count-tag-uses': async () => {
    const [alice, name] = [await given.account(), freshName('tag')]
    const status = await storedStatus({ accountId: alice.id, tags: [name] })
    const tag = Number(await stored('select id from tags where name = ?', name))
    const id = await storedRow('featured_tags', {
      account_id: alice.id,
      tag_id: tag,
      name,
      statuses_count: 0,
      counting_before: status + 1,
      created_at: clock.now().getTime(),
    })
    return {
      message: { kind: 'count-tag-uses', featuredId: id },
      seen: () => stored('select statuses_count from featured_tags where id = ?', id),
      before: 0,
      after: 1,
    }
  },
  'generate-annual-report': async () => {
    const [alice, year] = [await given.account(), 2025]
    await storedRow('annual_reports', { account_id: alice.id, year, requested_at: clock.now().getTime() })
    return {
      message: { kind: 'generate-annual-report', accountId: alice.id, year },
      seen: () =>
        stored('select generated_at is not null from annual_reports where account_id = ?', alice.id),
      before: 0,
      after: 1,
    }
  },
  'build-archive': async (mailsTo) => {
    const alice = await given.account()
    const id = await storedArchive(alice.id, 'outbox')
    return {
      message: { kind: 'build-archive', archiveId: id, step: 0 },
      seen: async () => [
        await stored('select stage from account_archives where id = ?', id),
        mailsTo(alice.email),
      ],
      before: ['outbox', 0],
      after: ['ready', 1],
    }
  },
  'send-archive-email': async (mailsTo) => {
    const alice = await given.account()
    const id = await storedArchive(alice.id, 'ready')
    return {
      message: { kind: 'send-archive-email', archiveId: id },
      seen: async () => mailsTo(alice.email),
      before: 0,
      after: 1,
    }
  },
  'run-import': async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const now = clock.now().getTime()
    // Columns of that version alone: the others came with their defaults.
    const id = await storedRow('imports', {
      account_id: alice.id,
      kind: 'blocks',
      state: 'adding',
      total: 1,
      created_at: now,
      progressed_at: now,
    })
    await storedRow('import_entries', {
      import_id: id,
      key: bob.username,
      entry: JSON.stringify({
        entry: { kind: 'blocks', account: { username: bob.username, domain: null } },
        cells: [bob.username],
      }),
    })
    return {
      message: { kind: 'run-import', importId: id },
      seen: () => stored('select count(*) from blocks where account_id = ?', alice.id),
      before: 0,
      after: 1,
    }
  },
  'remove-archive-import': async () => {
    const [alice, now] = [await given.account(), clock.now().getTime()]
    const status = await storedStatus({ accountId: alice.id })
    const id = await storedRow('archive_imports', {
      account_id: alice.id,
      actor_uri: 'https://elsewhere.test/users/alice',
      followers_uri: 'https://elsewhere.test/users/alice/followers',
      imported: 1,
      created_at: now,
      progressed_at: now,
      removed_at: now,
    })
    await storedRow('imported_statuses', { account_id: alice.id, status_id: status, import_id: id })
    return {
      message: { kind: 'remove-archive-import', importId: id },
      seen: () => stored('select count(*) from statuses where account_id = ?', alice.id),
      before: 1,
      after: 0,
    }
  },
} satisfies Partial<Record<JobKind, Scenario>>

function storedArchive(account: number, stage: string): Promise<number> {
  const now = clock.now().getTime()
  return storedRow('account_archives', {
    account_id: account,
    folder: freshName('archives/'),
    stage,
    created_at: now,
    progressed_at: now,
  })
}
