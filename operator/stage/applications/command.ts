import { Command } from 'commander';
import { watchKeysCommand } from './command-canary.ts';
import { addClientCommand, removeClientCommand } from './command-clients.ts';
import { removeKeyCommand, rotateKeyCommand } from './command-keys.ts';
import { createCommand, listCommand, removeCommand, showCommand } from './command-registry.ts';
import { configureCommand, setCommand } from './command-settings.ts';
import { usageCommand } from './command-usage.ts';

export const applications = (): Command =>
  new Command('applications')
    .description("customers' applications")
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(usageCommand())
    .addCommand(setCommand())
    .addCommand(configureCommand())
    .addCommand(rotateKeyCommand())
    .addCommand(removeKeyCommand())
    .addCommand(watchKeysCommand())
    .addCommand(addClientCommand())
    .addCommand(removeClientCommand())
    .addCommand(removeCommand());
