// The bill of a server before it is open, from what `npm run bench:day` measured.
import { readFileSync } from 'node:fs'
import { carriedByFree, dayOf } from '../../bench/day/day.mjs'

const kept = new URL('../../bench/day/kept-results.json', import.meta.url)

/** Sentences about the bill of a plan. */
export function expectedBill(plan) {
  const { costs } = JSON.parse(readFileSync(kept, 'utf8'))
  if (plan === 'free') {
    const { people, followsOfTen } = carriedByFree(costs)
    return `$0 a month. The free plan carries ${people} people who follow 400 accounts each, or ten who follow
    ${followsOfTen}. Mail to everybody needs the paid plan: until then the server sends none.`
  }
  const [ten, hundred] = [10, 100].map((people) => `$${dayOf(people, costs).bill.toFixed(2)}`)
  return `${ten} a month for ten people who follow 400 accounts each, ${hundred} for a hundred.`
}
