// Totals of a day, shares of quotas and the bill: measured costs of actions times their numbers.
import { actionsOf, secondsOfUploads, sizes } from './model.mjs'
import { basePrice, cpu, quotas } from './quotas.mjs'

/** Share of a quota that one person may use on the free plan. */
export const mostOfOnePerson = 0.5

const gigabytesOfObject = 0.128
const days = 30

/**
 * Costs of a day of `people`: { totals, rows, bill, milliseconds, cpuDollars }, each row with its shares of both plans. The bill
 * is of what is counted; CPU time differs with the load of the machine, and stands beside it.
 */
export function dayOf(people, costs, follows) {
  const actions = actionsOf(people, follows)
  const names = Object.keys(actions)
  const missing = names.filter((name) => costs[name] === undefined)
  if (missing.length > 0) throw new Error(`Not measured: ${missing.join(', ')}`)
  const sum = (pick) => names.reduce((total, name) => total + actions[name] * pick(costs[name], name), 0)
  const totals = Object.fromEntries(
    quotas.map(({ key }) => [key, sum((cost, name) => usedOf(key, cost, name))]),
  )
  const rows = quotas.map(({ key, name, free, paid, price }) => {
    const used = totals[key]
    const more = Math.max(0, used * days - paid)
    return {
      key,
      name,
      used,
      ofFree: used / free,
      ofPaid: (used * days) / paid,
      dollars: (more / 1e6) * price,
      biggest: biggestOf(names, (one) => actions[one] * usedOf(key, costs[one], one), used),
    }
  })
  const milliseconds = sum(({ cpuMilliseconds }) => cpuMilliseconds)
  const cpuDollars = (Math.max(0, milliseconds * days - cpu.paid) / 1e6) * cpu.price
  const bill = rows.reduce((total, { dollars }) => total + dollars, basePrice)
  return { people, totals, rows, milliseconds, bill, cpuDollars }
}

/** People of the model that the free plan carries, and follows of each of ten that it carries. */
export function carriedByFree(costs) {
  const fits = (people, follows) => dayOf(people, costs, follows).rows.every(({ ofFree }) => ofFree <= 1)
  const most = (numbers, holds) => numbers.filter(holds).at(-1) ?? 0
  const upTo = (last, step) => Array.from({ length: last / step }, (_, index) => (index + 1) * step)
  return {
    people: most(upTo(100, 1), (people) => fits(people)),
    followsOfTen: most(upTo(400, 10), (follows) => fits(10, follows)),
  }
}

export const allDays = (costs) => sizes.map((people) => dayOf(people, costs))

/** The quotas of which one person uses more than half. */
export function overdrawn({ people, rows }) {
  return people === 1 ? rows.filter(({ ofFree }) => ofFree > mostOfOnePerson) : []
}

function usedOf(key, cost, name) {
  if (key === 'queueOperations') return 2 * cost.queueWritten + cost.queueRead
  // Billed while it works or a body arrives, and not while its sockets sleep.
  if (key === 'objectSeconds')
    return (cost.objectMilliseconds / 1000 + (secondsOfUploads[name] ?? 0)) * gigabytesOfObject
  return cost[key]
}

/** The actions that use most, with their shares. */
function biggestOf(names, use, total) {
  return names
    .map((name) => ({ name, share: total === 0 ? 0 : use(name) / total }))
    .toSorted((one, other) => other.share - one.share)
    .slice(0, 3)
    .filter(({ share }) => share > 0)
}

const percent = (share) =>
  share === 0 ? '0' : share < 0.001 ? '< 0.1 %' : `${(share * 100).toPrecision(2) * 1} %`
const rounded = (number) => {
  const places = number === 0 ? 1 : 10 ** Math.max(0, Math.floor(Math.log10(number)) - 1)
  return (Math.round(number / places) * places).toLocaleString('en-US', { maximumFractionDigits: 1 })
}

/** The table of the documents: what a day uses, and its share of the free plan. */
export function tableOf(costs) {
  const all = allDays(costs)
  const head = [
    'a day',
    ...all.flatMap(({ people }) => [people === 1 ? 'one person' : `${people} people`, 'of Free']),
  ]
  const lines = quotas.map(({ key, name }) => [
    name,
    ...all.flatMap(({ rows }) => {
      const { used, ofFree } = rows.find((row) => row.key === key)
      return [rounded(used), ofFree > 1 ? `**${percent(ofFree)}**` : percent(ofFree)]
    }),
  ])
  const seconds = [
    'CPU, s, with that of D1 and objects',
    ...all.flatMap(({ milliseconds }) => [rounded(milliseconds / 1000), '']),
  ]
  const bills = [
    'bill on Paid, a month, without CPU',
    ...all.flatMap(({ bill }) => [`$${bill.toFixed(2)}`, '']),
  ]
  const computing = [
    'CPU on Paid, a month',
    ...all.flatMap(({ cpuDollars }) => [`$${cpuDollars.toFixed(2)}`, '']),
  ]
  const line = (cells) => `| ${cells.join(' | ')} |`
  const rows = [line(head), line(head.map(() => '---')), ...[...lines, bills, seconds, computing].map(line)]
  const { people, followsOfTen } = carriedByFree(costs)
  const end = `So the free plan carries ${people} ${people === 1 ? 'person' : 'people'} who follow 400 accounts each, or ten who follow ${followsOfTen}.`
  return `${rows.join('\n')}\n\n${end}`
}
