// Causes that `/health` names, as sentences for the terminal and the journal of an instance on one's own machine.

/** A server that stood still names its cron until its first minute is over, and its outbox until that is swept. */
const lastingMilliseconds = 2 * 60_000

const sentences = {
  database:
    'The server answers that its database refuses writes or does not answer. Is there room on the disk, and may this user write there?',
  outbox: 'The server answers that jobs which were due 15 minutes ago have not started.',
  cron: 'The server answers that its periodic tasks have not run for a quarter of an hour.',
}

/**
 * Returns a function that takes the causes of each answer of `/health` and logs those that appear, a database at once
 * and others when they last, and when they are over.
 */
export function healthReport(log, now = Date.now) {
  const since = new Map()
  const reported = new Set()
  return (causes) => {
    for (const cause of since.keys()) {
      if (causes.includes(cause)) continue
      since.delete(cause)
      if (reported.delete(cause)) log(`The server is well again (${cause}).`)
    }
    for (const cause of causes) {
      if (!since.has(cause)) since.set(cause, now())
      const lasts = cause === 'database' || now() - since.get(cause) >= lastingMilliseconds
      if (!lasts || reported.has(cause)) continue
      reported.add(cause)
      log(sentences[cause] ?? `The server answers that it is not well: ${cause}.`)
    }
  }
}

/** Causes that an answer of `/health` names; none where it is OK, or not set up. */
export async function causesIn(response) {
  const text = await response.text()
  if (response.ok || response.headers.get('content-type')?.includes('json') !== true) return []
  const { causes = [] } = JSON.parse(text)
  return causes
}
