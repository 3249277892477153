import { expect, it } from 'vitest'
import { isKeyOf } from '../../src/islands/lib/device-storage'
import { filesOfPage, pushFormIn } from '../../src/islands/lib/offline-page'

it('the files of the offline page are those that its HTML names, each once', () => {
  const html = `<link rel="stylesheet" href="/assets/client.css?v=1&amp;w=2"/><img src="/assets/logo.svg?v=1"/>
    <use href="/assets/sprite.svg?v=1#home"/><use href="/assets/sprite.svg?v=1#star"/><a href="/home">Home</a>
    <script type="module" src="/assets/offline.js?v=1"></script><img src="https://elsewhere.example/assets/a.png"/>`
  expect(filesOfPage(html)).toEqual([
    '/assets/client.css?v=1&w=2',
    '/assets/logo.svg?v=1',
    '/assets/sprite.svg?v=1',
    '/assets/offline.js?v=1',
  ])
})

it('a changed push subscription takes key and token from the form of the settings page, where push is on', () => {
  const form = (
    isOn: boolean,
  ) => `<form method="post"><input type="hidden" name="csrf_token" value="other"/></form>
    <form method="post" data-push="on" data-key="BKey" data-is-on="${isOn}" hidden>
    <input type="hidden" name="csrf_token" value="token"/><input type="hidden" name="acting_as" value="merle"/></form>`
  expect(pushFormIn(form(true))).toEqual({ key: 'BKey', fields: { csrf_token: 'token', acting_as: 'merle' } })
  expect(pushFormIn(form(false))).toBeNull()
  expect(pushFormIn('<form action="/auth/sign_in"></form>')).toBeNull()
})

it('drafts and searches on the device are told from those of accounts with similar names', () => {
  for (const key of ['draft ada new', 'draft ada reply:1', 'searches /@ada', 'place /home /@ada'])
    expect(isKeyOf('ada', key)).toBe(true)
  for (const key of [
    'draft adam new',
    'searches /@adam',
    'threads /@bada',
    'account',
    'place /@ada/media /@bob',
  ])
    expect(isKeyOf('ada', key)).toBe(false)
})
