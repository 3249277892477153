import type { CustomEmoji } from '../../../contract/entities/custom-emoji'
import { map, type Query } from '../../../db/query'
import { pickableEmojis } from '../../../domain/instance/emojis'
import type { Ctx } from '../../../ports/ctx'
import { presentCustomEmoji } from '../../../view/present/emoji'
import { useTranslation } from '../../i18n/context'
import { EmojiGroups } from '../../posts/emoji-groups'
import { partsOf, type Typed, withParts } from './form'

/** Custom emojis that the picker shows; others are found by their names. */
const mostShown = 200
const mostCharacters = 100

/** An open picker: the post that its emojis go into, and the emojis of this server. */
export interface OpenPicker {
  readonly number: number
  readonly emojis: readonly CustomEmoji[]
}

/** Number of the post whose picker a press opens, or keeps open; null for any other press. */
export function pickerAfter(press: string): number | null {
  const number = Number(/^(?:emoji|insert):(\d{1,2})/.exec(press)?.[1] ?? 0)
  return number === 0 ? null : number
}

/** Finds the emojis that the picker of a post shows. */
export function findPicker(ctx: Ctx, number: number): Query<OpenPicker> {
  return map(pickableEmojis(ctx), (all) => ({
    number,
    emojis: all.slice(0, mostShown).map((emoji) => presentCustomEmoji(ctx.config, emoji)),
  }))
}

/** Appends the emoji of a press to the text of its post. Emojis of this server stand between spaces. */
export function withEmoji(typed: Typed, press: string): Typed {
  const [, number = '', emoji = ''] = /^insert:(\d{1,2}):(.+)$/s.exec(press) ?? []
  const parts = partsOf(typed).map((part, index) => {
    if (index + 1 !== Number(number)) return part
    const isCustom = emoji.startsWith(':')
    const space = isCustom && part.text !== '' && !/\s$/.test(part.text) ? ' ' : ''
    return { ...part, text: `${part.text}${space}${emoji.slice(0, mostCharacters)}${isCustom ? ' ' : ''}` }
  })
  return withParts(typed, parts)
}

/** The emojis below a post. Scripts put the chosen one where one types, and search all of Unicode by name. */
export function EmojiPicker({ number, emojis }: OpenPicker) {
  const t = useTranslation()
  return (
    <div class="emoji-picker" data-emojis={`/emojis/${t.language}.json`}>
      <input
        class="input with-scripts"
        type="search"
        aria-label={t('client.searchEmojis')}
        placeholder={t('client.searchEmojis')}
        autocomplete="off"
      />
      <fieldset data-found hidden>
        <legend>{t('client.foundEmojis')}</legend>
        <div class="chips" />
      </fieldset>
      <EmojiGroups
        emojis={emojis}
        name="press"
        valueFor={(emoji) =>
          `insert:${number}:${'unicode' in emoji ? emoji.unicode : `:${emoji.shortcode}:`}`
        }
      />
    </div>
  )
}
