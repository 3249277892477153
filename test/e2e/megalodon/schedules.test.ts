import type { Entity } from 'megalodon'
import { describe, expect, it } from 'vitest'
import { megalodonFailure, megalodonOf } from '../support/megalodon'
import { newPerson } from '../support/people'

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

function waiting(answer: { readonly data: Entity.Status | Entity.ScheduledStatus }): Entity.ScheduledStatus {
  if ('params' in answer.data) return answer.data
  throw new Error('The status was posted instead of scheduled')
}

describe('scheduled posts with megalodon', () => {
  it('wait, get another time and are given up', async () => {
    const client = megalodonOf(await newPerson())
    const poll = { options: ['Wren', 'Owl'], expires_in: 600 }
    const made = waiting(await client.postStatus('Which?', { poll, scheduled_at: inHours(1) }))
    expect(made.params.text).toBe('Which?')
    expect((await client.getScheduledStatuses()).data.map(({ id }) => id)).toEqual([made.id])
    const moved = await client.scheduleStatus(made.id, inHours(2))
    expect(moved.data.id).toBe(made.id)
    expect((await client.getScheduledStatus(made.id)).data.scheduled_at).toBe(moved.data.scheduled_at)
    await client.cancelScheduledStatus(made.id)
    expect(await megalodonFailure(client.getScheduledStatus(made.id))).toMatchObject({ status: 404 })
  })
})
