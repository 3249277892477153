import { Preferences } from '../contract/entities/own-account'
import { preferencesOf } from '../domain/users/defaults'
import { presentPreferences } from '../view/present/own-account'
import { endpoint, user } from './endpoint'

export const preferences = [
  endpoint({
    method: 'GET',
    path: '/api/v1/preferences',
    summary: 'How the viewer posts and reads unless they say otherwise',
    auth: user('read:accounts'),
    output: Preferences,
    run: async (_ctx, { viewer }) => presentPreferences(preferencesOf(viewer)),
  }),
]
