import * as z from 'zod'
import { CustomEmoji } from '../contract/entities/custom-emoji'
import { pickableEmojis } from '../domain/instance/emojis'
import { cachedSeconds } from '../ports/app-env'
import { presentCustomEmoji } from '../view/present/emoji'
import { anyone, readEndpoint } from './endpoint'

export const customEmojis = [
  readEndpoint({
    path: '/api/v1/custom_emojis',
    summary: 'The custom emojis of this server',
    auth: anyone(),
    output: z.array(CustomEmoji),
    maxAgeSeconds: 300,
    caching: { seconds: cachedSeconds.server },
    read: (ctx) => pickableEmojis(ctx),
    show: ({ config }, { found }) => found.map((emoji) => presentCustomEmoji(config, emoji)),
  }),
]
