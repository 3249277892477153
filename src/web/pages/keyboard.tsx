import { Hono } from 'hono'
import { constant } from '../../db/query'
import type { TextKey } from '../../lib/translate'
import type { AppEnv } from '../../ports/app-env'
import { Shell, ViewHead } from '../components/shell'
import { useTranslation } from '../i18n/context'
import { showMemberView } from '../member-view'
import { paths } from '../paths'

/** The keyboard shortcuts of a member's pages, and the switch that turns them off. */
export function keyboardRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.keyboard, (c) =>
    showMemberView(c, { read: () => constant(true), show: () => <KeyboardPage /> }),
  )
  return app
}

/** Keys as they are pressed, and what each does (`src/islands/lib/keys.ts`). */
const shortcuts = [
  {
    title: 'client.keyboard.posts',
    keys: [
      ['j', 'client.keyboard.next'],
      ['k', 'client.keyboard.previous'],
      ['0', 'client.keyboard.top'],
      ['1', 'client.keyboard.first'],
      ['l', 'client.keyboard.older'],
      ['.', 'client.keyboard.newer'],
      ['Enter', 'client.keyboard.open'],
      ['p', 'client.keyboard.profile'],
      ['e', 'client.keyboard.media'],
      ['x', 'client.keyboard.warning'],
      ['h', 'client.keyboard.hideMedia'],
    ],
  },
  {
    title: 'client.keyboard.acts',
    keys: [
      ['r', 'common.reply'],
      ['m', 'client.keyboard.mention'],
      ['f', 'common.favourite'],
      ['b', 'common.boost'],
      ['d', 'client.bookmark'],
      ['q', 'client.quote'],
      ['t', 'client.translate'],
      ['z', 'client.undo'],
      ['n', 'client.newPost'],
    ],
  },
  {
    title: 'client.keyboard.places',
    keys: [
      ['s', 'client.search'],
      ['g h', 'client.home'],
      ['g n', 'client.notifications'],
      ['g l', 'client.local'],
      ['g t', 'client.federated'],
      ['g e', 'common.explore'],
      ['g f', 'client.favourites'],
      ['g u', 'common.profile'],
      ['Backspace', 'client.keyboard.back'],
      ['?', 'client.keyboardShortcuts'],
    ],
  },
] as const satisfies readonly {
  readonly title: TextKey
  readonly keys: readonly (readonly [key: string, words: TextKey])[]
}[]

export function KeyboardPage() {
  const t = useTranslation()
  return (
    <Shell title={t('client.keyboardShortcuts')} place="you" isPrivate>
      <ViewHead title={t('client.keyboardShortcuts')} back={paths.home} />
      <div class="pad">
        <label class="choice">
          <input type="checkbox" disabled data-keyboard-switch />
          <span>{t('client.keyboard.on')}</span>
        </label>
      </div>
      <div class="pad keys">
        {shortcuts.map(({ title, keys }) => (
          <section>
            <h2>{t(title)}</h2>
            <dl>
              {keys.map(([key, words]) => (
                <div class="ends">
                  <dt>{t(words)}</dt>
                  <dd>
                    {key.split(' ').map((one) => (
                      <kbd>{one}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Shell>
  )
}
