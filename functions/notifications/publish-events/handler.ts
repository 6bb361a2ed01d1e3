import { publishEvents } from '../../../shared/notifications/publish/publish-events.ts';
import { streamHandler } from '../stream-handler.ts';

export const publishEventsHandler = streamHandler(publishEvents);
