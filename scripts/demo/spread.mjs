// Gives the community a past: its posts and figures are spread over two months, so that plots show something.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sketchEntry, sketchRegisters } from '../../src/lib/distinct-sketch.ts'

const dayMilliseconds = 86_400_000
const days = 60
/** Retention of a day is counted for this long, as `retentionLimits` of the product has it. */
const cohortDays = 31

const dayOf = (time) => Math.floor(time / dayMilliseconds)
/** Weeks begin on Monday; the epoch was a Thursday. */
const weekOf = (day) => Math.floor((day + 3) / 7)
const monthOf = (day) => {
  const at = new Date(day * dayMilliseconds)
  return (at.getUTCFullYear() - 1970) * 12 + at.getUTCMonth()
}

/**
 * Spreads what `usernames` posted over the 60 days before `now`, in the order in which they posted it, with the day they
 * joined and the figures that follow. Only once: a community whose posts are older than a day has its past already.
 */
export function spreadOverDays({ folder }, usernames, now = Date.now()) {
  const file = globSync('v3/d1/**/*.sqlite', { cwd: folder }).find((name) => !name.includes('metadata'))
  const database = new DatabaseSync(join(folder, file), { timeout: 5_000 })
  try {
    const posts = postsOf(database, usernames)
    if (posts.length === 0 || posts[0].at < now - dayMilliseconds) return
    database.exec('begin immediate')
    const people = datePosts(database, posts, now)
    countActivity(database, people, now)
    countWeeks(database, now)
    database.exec('commit')
  } finally {
    database.close()
  }
}

/** Oldest first. */
function postsOf(database, usernames) {
  return database
    .prepare(
      `select s.id, s.account_id as author, s.created_at as at from statuses s
        where s.account_id in (select id from accounts where domain is null
          and username in (select value from json_each(?))) order by s.id`,
    )
    .all(JSON.stringify(usernames))
}

/** Returns the authors with the days on which they joined and posted. An author joined an hour before the first post. */
function datePosts(database, posts, now) {
  const step = (days * dayMilliseconds) / posts.length
  const people = new Map()
  const date = database.prepare('update statuses set created_at = ? where id = ?')
  for (const [index, { id, author }] of posts.entries()) {
    const at = Math.floor(now - (posts.length - index - 0.5) * step)
    date.run(at, id)
    const known = people.get(author) ?? { id: author, joinedAt: at - 3_600_000, postedOn: new Set() }
    people.set(author, { ...known, lastAt: at })
    known.postedOn.add(dayOf(at))
  }
  const join = database.prepare('update accounts set created_at = ?, last_status_at = ? where id = ?')
  for (const { id, joinedAt, lastAt } of people.values()) join.run(joinedAt, lastAt, id)
  return [...people.values()]
}

/** Whether an account without a post on a day visits: two days of three, another two for all accounts. */
const looksIn = (index, day) => (index * 7 + day) % 3 !== 0

/** A row of each day. Today comes last, because a trigger folds the days before the latest two into blocks. */
function countActivity(database, people, now) {
  const today = dayOf(now)
  const latest = database.prepare('select * from active_days where day = ?').get(today)
  database.prepare('delete from active_days where day = ?').run(today)
  const insert = database.prepare(
    `insert into active_days (day, users, sketch, cohorts, month_cohorts, servers, locales)
      values (?, ?, ?, ?, ?, ?, ?)`,
  )
  const months = new Set()
  for (let day = today - days; day <= today; day += 1) {
    const active = people.filter(
      ({ joinedAt, postedOn }, index) =>
        day >= dayOf(joinedAt) &&
        (day === today || day === dayOf(joinedAt) || postedOn.has(day) || looksIn(index, day)),
    )
    if (active.length === 0) continue
    const [cohorts, monthCohorts] = [{}, {}]
    const sketch = Array.from({ length: sketchRegisters }, () => '0')
    for (const { id, joinedAt } of active) {
      const joined = dayOf(joinedAt)
      if (day - joined <= cohortDays) cohorts[joined] = (cohorts[joined] ?? 0) + 1
      if (!months.has(`${id}/${monthOf(day)}`))
        monthCohorts[monthOf(joined)] = (monthCohorts[monthOf(joined)] ?? 0) + 1
      months.add(`${id}/${monthOf(day)}`)
      const { register, mark } = sketchEntry(id)
      if (sketch[register] < mark) sketch[register] = mark
    }
    insert.run(
      day,
      active.length,
      sketch.join(''),
      JSON.stringify(cohorts),
      JSON.stringify(monthCohorts),
      day === today && latest !== undefined ? latest.servers : '{}',
      day === today && latest !== undefined ? latest.locales : '{}',
    )
  }
}

/** Counters of sign-ups, posts and interactions by day, from what is there. Others stay as they are. */
function countWeeks(database, now) {
  const counted = {
    statuses: `select created_at / ${dayMilliseconds} as day, count(*) as amount from statuses
      where account_id in (select account_id from users) group by 1`,
    registrations: `select a.created_at / ${dayMilliseconds} as day, count(*) as amount from accounts a
      join users u on u.account_id = a.id group by 1`,
    interactions: `select created_at / ${dayMilliseconds} as day, sum(favourites_count + reblogs_count) as amount
      from statuses group by 1`,
  }
  const amounts = Object.entries(counted).map(([name, query]) => [
    name,
    new Map(
      database
        .prepare(query)
        .all()
        .map(({ day, amount }) => [day, amount]),
    ),
  ])
  const save = database.prepare(
    `insert into activity_weeks (week, statuses, registrations, logins, days) values (?, ?, ?, ?, ?)
      on conflict (week) do update set statuses = excluded.statuses, registrations = excluded.registrations,
        days = json_patch(days, excluded.days)`,
  )
  const [first, last] = [weekOf(dayOf(now) - days), weekOf(dayOf(now))]
  for (let week = first; week <= last; week += 1) {
    const ofWeek = Array.from({ length: 7 }, (_, index) => week * 7 - 3 + index)
    const entries = amounts.flatMap(([name, byDay]) =>
      ofWeek.flatMap((day) => (byDay.has(day) ? [[`${name}:${day}`, byDay.get(day)]] : [])),
    )
    const sum = (name) =>
      entries.reduce((all, [key, amount]) => (key.startsWith(`${name}:`) ? all + amount : all), 0)
    const figures = JSON.stringify(Object.fromEntries(entries))
    save.run(week, sum('statuses'), sum('registrations'), sum('registrations'), figures)
  }
}
