import { describe, expect, it } from 'vitest'
import { given } from '../support/given'
import {
  connectionOf,
  isActiveTopic,
  message,
  openStreamSocket,
  presenceOf,
  topicOf,
} from '../support/streaming'

describe('a socket', () => {
  it('is subscribed at once to the stream its address names [T-738]', async () => {
    const alice = await given.account()
    const heard = await openStreamSocket(alice, { stream: 'user' })
    expect(await connectionOf(alice).deliver([message(['user'], { payload: '12' })])).toBe('heard')
    expect(await heard.next()).toEqual({ stream: ['user'], event: 'delete', payload: '12' })
    heard.close()
  })

  it('receives streams it subscribes to, until it unsubscribes [T-739]', async () => {
    const alice = await given.account()
    const heard = await openStreamSocket(alice)
    await heard.subscribe({ stream: 'user' })
    await connectionOf(alice).deliver([message(['user'])])
    expect(await heard.rest()).toHaveLength(1)
    await heard.unsubscribe({ stream: 'user' })
    expect(await connectionOf(alice).deliver([message(['user'])])).toBe('nobody')
    expect(await heard.rest()).toEqual([])
    heard.close()
  })

  it('receives shared streams through their objects', async () => {
    const alice = await given.account()
    const heard = await openStreamSocket(alice, { stream: 'hashtag', tag: 'Gulls' })
    expect(await isActiveTopic('hashtag:gulls')).toBe(true)
    await topicOf('hashtag:gulls').spread(message(['hashtag:gulls'], { payload: '3' }))
    expect(await heard.next()).toEqual({ stream: ['hashtag', 'Gulls'], event: 'delete', payload: '3' })
    expect(await presenceOf(alice)).toEqual([])
    heard.close()
  })
})
