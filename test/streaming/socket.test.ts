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
  it('a socket is subscribed at once to the stream its address names [T-738]', async () => {
    const alice = await given.account()
    const socket = await openStreamSocket(alice, { stream: 'user' })
    expect(await connectionOf(alice).deliver([message(['user'], { payload: '12' })])).toBe('delivered')
    expect(await socket.next()).toEqual({ stream: ['user'], event: 'delete', payload: '12' })
    socket.close()
  })

  it('receives streams it subscribes to, until it unsubscribes [T-739]', async () => {
    const alice = await given.account()
    const socket = await openStreamSocket(alice)
    await socket.subscribe({ stream: 'user' })
    await connectionOf(alice).deliver([message(['user'])])
    expect(await socket.rest()).toHaveLength(1)
    await socket.unsubscribe({ stream: 'user' })
    expect(await connectionOf(alice).deliver([message(['user'])])).toBe('noSubscriber')
    expect(await socket.rest()).toEqual([])
    socket.close()
  })

  it('receives shared streams through their objects', async () => {
    const alice = await given.account()
    const socket = await openStreamSocket(alice, { stream: 'hashtag', tag: 'Gulls' })
    expect(await isActiveTopic('hashtag:gulls')).toBe(true)
    await topicOf('hashtag:gulls').spread([message(['hashtag:gulls'], { payload: '3' })])
    expect(await socket.next()).toEqual({ stream: ['hashtag', 'Gulls'], event: 'delete', payload: '3' })
    expect(await presenceOf(alice)).toEqual([])
    socket.close()
  })
})
