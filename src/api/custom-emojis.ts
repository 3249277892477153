import * as z from 'zod'
import { CustomEmoji } from '../contract/entities/custom-emoji'
import { pickableEmojis } from '../domain/instance/emojis'
import { cachedSeconds } from '../ports/app-env'
import { presentCustomEmoji } from '../view/present/emoji'
import { anyone } from './caller'
import { readEndpoint } from './endpoint'

export const customEmojis = [
  readEndpoint({
    method: 'GET',
    path: '/api/v1/custom_emojis',
    summary: 'The custom emojis of this server',
    auth: anyone(),
    input: z.object({}),
    output: z.array(CustomEmoji),
    maxAgeSeconds: 300,
    caching: { seconds: cachedSeconds.server },
    read: (ctx) => pickableEmojis(ctx),
    show: ({ config }, { found }) => found.map((emoji) => presentCustomEmoji(config, emoji)),
  }),
]
