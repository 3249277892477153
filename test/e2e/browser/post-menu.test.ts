import { expect, it } from 'vitest'
import { useBrowser, withChromium } from '../support/browser'
import { mastoOf } from '../support/masto'
import { openAsMember } from '../support/member-page'
import { newPerson, origin } from '../support/people'

const sizes = { phone: { width: 360, height: 780 }, desktop: { width: 1280, height: 800 } }

withChromium('the menu of a post without scripts', () => {
  const place = useBrowser()

  it.each(Object.entries(sizes))(
    'the menu of a post on a %s opens within the window, and its pages react and boost',
    async (_, viewport) => {
      const author = await newPerson()
      const client = mastoOf(author)
      const post = await client.v1.statuses.create({ status: 'Who has seen a wren?' })
      const path = `/@${author.username}/${post.id}`
      const { member, page, complaints, close } = await openAsMember(place.browser, '/home', {
        javaScriptEnabled: false,
        viewport,
      })
      const open = async (row: string) => {
        await page.goto(origin + path)
        await page.getByLabel('More about this post').click()
        const link = page.getByRole('link', { name: row })
        const box = await link.boundingBox()
        expect(box?.y).toBeGreaterThanOrEqual(0)
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(viewport.height)
        await link.click()
      }
      await open('React with an emoji')
      await page.getByRole('button', { name: '🐦' }).click()
      await page.waitForURL(`${origin}${path}#p-${post.id}`)
      expect(await client.v1.statuses.$select(post.id).fetch()).toMatchObject({
        reactions: [{ name: '🐦', count: 1 }],
      })
      await open('Boost to a chosen audience')
      await page.getByLabel('Followers').check()
      await page.getByRole('button', { name: 'Boost' }).click()
      await page.waitForURL(`${origin}${path}#p-${post.id}`)
      expect(await client.v1.notifications.list({ types: ['reblog'] })).toMatchObject([
        { account: { username: member.username }, status: { id: post.id } },
      ])
      expect(complaints).toEqual([])
      await close()
    },
  )
})
