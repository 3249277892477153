import { describe, expect, it } from 'vitest'
import { mastoFailure, mastoOf } from '../support/masto'
import { newPerson } from '../support/people'
import { mediaFile } from '../support/pictures'

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

describe('scheduled posts with masto', () => {
  it('wait, are shown, get another time and are given up', async () => {
    const client = mastoOf(await newPerson())
    const media = await client.v2.media.create({ file: await mediaFile('rgb.png', 'image/png') })
    const made = await client.v1.statuses.create({
      status: 'Tomorrow, wrens',
      visibility: 'unlisted',
      mediaIds: [media.id],
      scheduledAt: inMinutes(60),
    })
    expect(made).toMatchObject({
      params: { text: 'Tomorrow, wrens', visibility: 'unlisted', mediaIds: [media.id] },
      mediaAttachments: [{ id: media.id }],
    })
    const listed = await client.v1.scheduledStatuses.list()
    expect(listed.map(({ id }) => id)).toEqual([made.id])
    const scheduledAt = inMinutes(120)
    const one = client.v1.scheduledStatuses.$select(made.id)
    expect(await one.update({ scheduledAt })).toMatchObject({ id: made.id, scheduledAt })
    expect(await one.fetch()).toMatchObject({ scheduledAt })
    await one.remove()
    expect(await client.v1.scheduledStatuses.list()).toEqual([])
    expect((await mastoFailure(one.fetch())).statusCode).toBe(404)
  })

  it('are refused when the time is too near', async () => {
    const client = mastoOf(await newPerson())
    const order = client.v1.statuses.create({ status: 'Soon', scheduledAt: inMinutes(1) })
    expect((await mastoFailure(order)).statusCode).toBe(422)
  })
})

describe('translation with masto', () => {
  it('is nothing on a server without a service', async () => {
    const client = mastoOf(await newPerson())
    const { id } = await client.v1.statuses.create({ status: 'Der Zaunkönig singt', language: 'de' })
    expect((await mastoFailure(client.v1.statuses.$select(id).translate({ lang: 'en' }))).statusCode).toBe(
      404,
    )
    expect(await client.v1.instance.translationLanguages.list()).toEqual({})
    expect((await client.v2.instance.fetch()).configuration.translation).toEqual({ enabled: false })
  })
})
