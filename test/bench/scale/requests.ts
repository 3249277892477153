import * as z from 'zod'
import type { Endpoint } from '../../../src/api/endpoint'
import type { ScaledInstance } from '../../support/scale/scaled-instance'

/** A request to measure: the label names what the ids stand for, so that instances of different sizes compare. */
export interface Asked {
  readonly label: string
  readonly path: string
}

type Facts = ScaledInstance['facts']
type Named = Readonly<Record<string, number | string>>

const statuses = ({ statuses: found }: Facts): Named => ({
  viral: found.viral,
  thread: found.thread.first,
  threadMiddle: found.thread.middle,
  prolific: found.prolific,
  ordinary: found.ordinary,
})
const accounts = ({ accounts: found }: Facts): Named => ({
  star: found.star,
  crowded: found.crowded,
  prolific: found.prolific,
  withdrawn: found.withdrawn,
  viral: found.viral,
  member: found.member,
})
const usernames = (): Named => ({ star: 'star', withdrawn: 'withdrawn', viral: 'viral' })
const tags = ({ tags: found }: Facts): Named => ({ ...found })
const one = (value: number | string) => (): Named => ({ [value]: value })

/** Values for parameters of paths, by the segment before them or by name. The first that fits counts. */
const inPaths: readonly (readonly [string, (facts: Facts) => Named])[] = [
  ['statuses/:', statuses],
  ['accounts/:', accounts],
  ['suggestions/:', ({ accounts: { member } }) => ({ member })],
  ['follow_requests/:', ({ accounts: { member } }) => ({ member })],
  ['conversations/:', ({ statuses: { direct } }) => ({ direct })],
  ['polls/:', ({ poll }) => ({ poll })],
  ['lists/:', ({ list }) => ({ list })],
  ['list/:', ({ list }) => ({ list })],
  ['notifications/requests/:', ({ accounts: { remote } }) => ({ remote })],
  ['notifications/:', ({ notification, groupKey }) => ({ notification, groupKey })],
  [':group_key', ({ groupKey }) => ({ groupKey })],
  ['timelines/tag/:', tags],
  ['tags/:file', ({ tags: found }) => ({ common: `${found.common}.rss`, rare: `${found.rare}.atom` })],
  ['tagged/:file', ({ tags: found }) => ({ common: `${found.common}.rss`, flood: `${found.flood}.rss` })],
  ['tags/:id', ({ tags: found }) => ({ ...found })],
  ['tags/:', tags],
  ['tagged/:tag', tags],
  [':username', usernames],
  [':handle/:id', statuses],
  [':handle', () => ({ star: '@star', withdrawn: '@withdrawn', viral: '@viral' })],
  [':file', () => ({ star: '@star.rss', withdrawn: '@withdrawn.atom' })],
  ['filters/:', one(1)],
  ['keywords/:', one(1)],
  [':year', one(2026)],
  [':date', one('2026-01-01')],
  [':day', one('2026-01-01')],
]

const flags = [
  'local',
  'remote',
  'only_media',
  'exclude_replies',
  'exclude_reblogs',
  'exclude_direct',
  'pinned',
  'following',
]

/** Worst values of parameters; each is asked for by itself and with the greatest page. */
function valuesOf(name: string, facts: Facts): Named {
  if (flags.includes(name)) return { [name]: `${name}=true` }
  const { statuses: found, tags: tag, accounts: people } = facts
  switch (name) {
    case 'max_id':
      return {
        'max_id={middle}': `max_id=${found.ordinary}`,
        'max_id={oldest}': `max_id=${found.oldest + 1}`,
      }
    case 'min_id':
      return { 'min_id=1': 'min_id=1', 'min_id={middle}': `min_id=${found.ordinary}` }
    case 'since_id':
      return { 'since_id=1': 'since_id=1' }
    case 'tagged':
      return { 'tagged={flood}': `tagged=${tag.flood}`, 'tagged={rare}': `tagged=${tag.rare}` }
    case 'any':
      return {
        'any={all}': Object.values(tag)
          .map((name) => `any[]=${name}`)
          .join('&'),
      }
    case 'all':
      return {
        'all={common}': `all[]=${tag.common}`,
        'all={rare}': `all[]=${tag.rare}`,
        'all={common,flood}': `all[]=${tag.common}&all[]=${tag.flood}`,
      }
    case 'none':
      return { 'none={flood}': `none[]=${tag.flood}`, 'none={common}': `none[]=${tag.common}` }
    case 'q':
      return {
        'q=u': 'q=u',
        'q=user1': 'q=user1',
        'q=morning': `q=${facts.commonWord}`,
        'q=rare word': `q=${facts.rareWord}`,
        'q=morning before': `q=${facts.commonWord}%20before%3A2025-06-01`,
        'q=morning max_id': `q=${facts.commonWord}&type=statuses&max_id=${found.ordinary}`,
        'q=morning min_id': `q=${facts.commonWord}&type=statuses&min_id=${found.ordinary}`,
        'q=from': `q=${facts.commonWord}%20from%3Awithdrawn`,
        'q=%23tag1': 'q=%23tag1',
        'q={page}': `q=${encodeURIComponent(facts.linkedPage)}`,
        'q={page} max_id': `q=${encodeURIComponent(facts.linkedPage)}&type=statuses&max_id=${found.ordinary}`,
      }
    case 'type':
      return { 'type=statuses': 'type=statuses' }
    case 'types':
      return { 'types={poll}': 'types[]=poll', 'types={update}': 'types[]=update' }
    case 'exclude_types':
      return { 'exclude_types={favourite}': 'exclude_types[]=favourite' }
    case 'account_id':
      return { 'account_id={remote}': `account_id=${people.remote}` }
    case 'order':
      return { 'order=new': 'order=new' }
    case 'id':
      return {
        'id={all}': [...Object.values(statuses(facts)), ...Object.values(accounts(facts))]
          .map((id) => `id[]=${id}`)
          .join('&'),
      }
    case 'url':
      return { 'url={card}': 'url=https%3A%2F%2Fbirds.example%2F0' }
    case 'acct':
      return { 'acct=star': 'acct=star' }
    case 'domain':
      return {
        'domain={crowded}': `domain=${facts.crowdedDomain}`,
        'domain={star}': 'domain=social0.example',
      }
    case 'by_domain':
      return { 'by_domain={crowded}': `by_domain=${facts.crowdedDomain}` }
    case 'username':
      return { 'username=user1': 'username=user1' }
    case 'offset':
      return { 'offset=80': 'offset=80' }
    case 'status':
      return {
        'status=silenced': 'status=silenced',
        'status=suspended': 'status=suspended',
        'status=pending': 'status=pending',
      }
    default:
      return {}
  }
}

/** Forms of a pattern with every choice in the place of its parameters. */
export function pathsOf(pattern: string, facts: Facts): Asked[] {
  const plain = pattern.replaceAll(/\{(?:[^{}]|\{[^{}]*\})*\}/g, '')
  const fill = ({ label, path }: Asked): Asked[] => {
    const parameter = /:\w+/.exec(path)
    if (parameter === null) return [{ label, path }]
    const upTo = path.slice(0, parameter.index + parameter[0].length)
    const fitting = inPaths.find(
      ([key]) => upTo.includes(key) && upTo.lastIndexOf(key) + key.length > parameter.index,
    )
    const choices = fitting?.[1](facts) ?? { x: 1 }
    return Object.entries(choices).flatMap(([name, value]) =>
      fill({ label: label.replace(/:\w+/, `{${name}}`), path: path.replace(/:\w+/, String(value)) }),
    )
  }
  return fill({ label: plain, path: plain })
}

/** Requests for an endpoint that reads: each parameter by itself, with the greatest page. */
export function requestsOf({ path, input }: Endpoint, facts: Facts): Asked[] {
  const names = input instanceof z.ZodObject ? Object.keys(input.shape) : []
  const queries = names
    .filter((name) => !path.includes(`:${name}`))
    .flatMap((name) => Object.entries(valuesOf(name, facts)))
  const most = names.includes('limit') ? '&limit=80' : ''
  const asked = [['', ''] as const, ...queries]
  return pathsOf(path, facts).flatMap(({ label, path: filled }) =>
    asked.map(([name, query]) => ({ label: `${label}?${name}`, path: `${filled}?${query}${most}` })),
  )
}
