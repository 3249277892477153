import { describe, expect, it } from 'vitest'
import { Job, type JobKind } from '../../src/messages/jobs'
import { jobsOfMail } from '../support/earlier-jobs/mails'
import { jobsOfMembers } from '../support/earlier-jobs/members'
import { jobsOfModeration } from '../support/earlier-jobs/moderation'
import { jobsOfFederation } from '../support/earlier-jobs/remote'
import { type Scenario, todaysQueue } from '../support/earlier-jobs/scenario'
import { jobsOfStatuses } from '../support/earlier-jobs/statuses'

/**
 * Jobs that wait in the queue while a server is upgraded: messages as the version of commit 57ccfd71 wrote them, or, of a kind
 * that came later, the version that brought it. A new kind does not compile without one.
 */
const scenarios: Readonly<Record<JobKind, Scenario>> = {
  ...jobsOfMembers,
  ...jobsOfMail,
  ...jobsOfStatuses,
  ...jobsOfModeration,
  ...jobsOfFederation,
}

describe('a job that waited during an upgrade', () => {
  it.each(Object.entries(scenarios))(
    'a job that waited ends with its effect: %s',
    async (_kind, scenario) => {
      const { mailsTo, consume } = todaysQueue()
      const { message, seen, before, after } = await scenario(mailsTo)
      expect(before).not.toEqual(after)
      expect(await seen()).toEqual(before)
      expect(await consume(message)).toEqual([])
      expect(await seen()).toEqual(after)
    },
  )

  it('a job of every kind waited', () => {
    expect(Object.keys(scenarios).toSorted()).toEqual(
      Job.options.map(({ shape }) => shape.kind.value).toSorted(),
    )
  })
})
