import { env } from 'cloudflare:workers'
import type { JobKind } from '../../../src/messages/jobs'
import { fediverse } from '../fediverse'
import { freshName, given } from '../given'
import { domainLimit } from '../given-limit'
import { freshHost, picture } from '../given-page'
import { relation } from '../given-relationships'
import { importedStatus } from '../given-remote'
import { storedPicture, storedStatus } from '../given-stored'
import { givenStrike } from '../given-strike'
import { storedRow } from '../stored-row'
import { clock, context } from '../test-app'
import { change, type Scenario, stored } from './scenario'

const now = () => clock.now().getTime()
const limitsOn = (domain: string) => () =>
  stored('select count(*) from domain_limits where domain = ?', domain)

/** A list of limits with one entry in this state. */
async function storedBlocklist(domain: string, state: 'pending' | 'approved') {
  const url = `https://${freshHost()}/list.csv`
  const list = await storedRow('blocklists', { title: 'Limits', url, created_at: now() })
  const entry = await storedRow('blocklist_entries', {
    blocklist_id: list,
    domain,
    severity: 'silence',
    reject_media: 0,
    reject_reports: 0,
    obfuscate: 0,
    public_comment: '',
    change: 'add',
    state,
  })
  return { list, entry, url }
}

const csv = (domain: string) => `#domain,#severity\n${domain},silence\n`

/** Jobs of moderation: lists of limits, suspensions, strikes and evidence. */
export const jobsOfModeration = {
  'apply-blocklist': async () => {
    const domain = freshHost()
    const { list } = await storedBlocklist(domain, 'approved')
    return {
      message: { kind: 'apply-blocklist', blocklistId: list },
      seen: limitsOn(domain),
      before: 0,
      after: 1,
    }
  },
  'decide-blocklist': async () => {
    const domain = freshHost()
    const { list, entry } = await storedBlocklist(domain, 'pending')
    return {
      message: { kind: 'decide-blocklist', blocklistId: list, state: 'approved', upTo: entry },
      seen: limitsOn(domain),
      before: 0,
      after: 1,
    }
  },
  'import-blocklist': async () => {
    const [domain, key] = [freshHost(), freshName('imports/limits')]
    await env.MEDIA.put(key, csv(domain))
    return {
      message: { kind: 'import-blocklist', blocklistId: context().ids.next(), key, overwrite: false },
      seen: limitsOn(domain),
      before: 0,
      after: 1,
    }
  },
  'fetch-blocklist': async () => {
    const domain = freshHost()
    const { list, url } = await storedBlocklist(freshHost(), 'pending')
    const headers = { 'content-type': 'text/csv' }
    fediverse.network.respond(url, () => new Response(csv(domain), { headers }))
    return {
      message: { kind: 'fetch-blocklist', blocklistId: list },
      seen: () => stored('select state from blocklist_entries where domain = ?', domain),
      before: null,
      after: 'pending',
    }
  },
  'delete-domain-media': async () => {
    const domain = freshHost()
    await domainLimit(domain, 'suspend')
    const avatar = { remote: `https://${domain}/a.png` }
    const { id } = await given.remoteAccount({ domain, avatar })
    return {
      message: { kind: 'delete-domain-media', domain },
      seen: () => stored('select avatar is null from accounts where id = ?', id),
      before: 0,
      after: 1,
    }
  },
  'continue-suspension': async () => {
    const domain = freshHost()
    await domainLimit(domain, 'suspend')
    const { id } = await given.remoteAccount({ domain })
    await storedRow('domain_suspensions', {
      domain,
      event_id: context().ids.next(),
      suspended_at: now(),
      domains: JSON.stringify([domain]),
      accounts_count: 1,
      progressed_at: now(),
    })
    return {
      message: { kind: 'continue-suspension', domain },
      seen: () => stored('select suspended_at is not null from accounts where id = ?', id),
      before: 0,
      after: 1,
    }
  },
  'end-follows-of-suspended': async () => {
    const [alice, remote] = [await given.account(), await given.remoteAccount({ suspendedAt: clock.now() })]
    await relation.follow(remote, alice)
    return {
      message: {
        kind: 'end-follows-of-suspended',
        accountId: remote.id,
        eventId: context().ids.next(),
      },
      seen: () => stored('select count(*) from follows where account_id = ?', remote.id),
      before: 1,
      after: 0,
    }
  },
  'restore-follows': async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    const eventId = await storedRow('severance_events', {
      type: 'domain_block',
      target: peer.host,
      created_at: now(),
      restore_started_at: now(),
    })
    const ties = { event_id: eventId, account_id: alice.id, other_account_id: peer.id, followed: 1 }
    await storedRow('severed_follows', ties)
    return {
      message: { kind: 'restore-follows', eventId, after: null },
      seen: () =>
        stored(
          `select (select count(*) from follows where account_id = ?1)
            + (select count(*) from follow_requests where account_id = ?1)`,
          alice.id,
        ),
      before: 0,
      after: 1,
    }
  },
  'continue-strike': async () => {
    const alice = await given.account()
    const status = await storedStatus({ accountId: alice.id, attachments: [storedPicture] })
    const action = 'mark_statuses_as_sensitive'
    const strikeId = await givenStrike(alice, { action, statusIds: [status] })
    return {
      message: { kind: 'continue-strike', strikeId, after: 0 },
      seen: () => stored('select sensitive from statuses where id = ?', status),
      before: 0,
      after: 1,
    }
  },
  'copy-evidence': async () => {
    const peer = await given.peer()
    const { id } = await importedStatus(peer)
    const remote = picture(`https://${peer.host}/wren.png`)
    const attachments = [{ ...storedPicture, id: context().ids.next(), file: { remote } }]
    await change('update statuses set attachments = ? where id = ?', JSON.stringify(attachments), id)
    const strikeId = await givenStrike(peer, { statusIds: [id] })
    return {
      message: { kind: 'copy-evidence', reportId: null, strikeId, from: 0 },
      seen: () =>
        stored(
          `select count(*) from evidence_files f join moderation_evidence e on e.id = f.evidence_id
            where e.strike_id = ?`,
          strikeId,
        ),
      before: 0,
      after: 1,
    }
  },
} satisfies Partial<Record<JobKind, Scenario>>
