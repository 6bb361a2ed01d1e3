import { Command } from 'commander';
import { addClientCommand, removeClientCommand } from './application-clients.ts';
import { removeKeyCommand, rotateKeyCommand } from './application-keys.ts';
import { listCommand, removeCommand, showCommand } from './application-registry.ts';
import { configureCommand, createCommand, setCommand } from './application-settings.ts';
import { usageCommand } from './application-usage.ts';

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
    .addCommand(addClientCommand())
    .addCommand(removeClientCommand())
    .addCommand(removeCommand());
