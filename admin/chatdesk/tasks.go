package chatdesk

import (
	"context"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/platform/db"
	"candor/app/support"
	"candor/app/task"
	"candor/templates/chatview"
	"candor/templates/ui"
)

// handOn are the buttons that hand work about a conversation to a team or a colleague, and that register it as a complaint.
func handOn(r *desk.Request, c support.Conversation) (out []ui.ButtonView) {
	if r.May(access.TaskAsk) {
		out = append(out, ui.ButtonView{ID: "chat-task", Label: r.Word("chat.hand"), Icon: ui.IconNote, Kind: ui.Ghost, Size: ui.Small, Square: true, HX: ui.OpenDialog(ui.To(home+"/{}/task", c.ID))})
	}
	if r.May(access.ComplaintRegister) && c.TraderID != nil {
		out = append(out, ui.ButtonView{ID: "chat-complaint", Label: r.Word("chat.complaint"), Icon: ui.IconFlag, Kind: ui.Ghost, Size: ui.Small, Square: true, HX: ui.OpenDialog(ui.To(home+"/{}/complaint", c.ID))})
	}
	return out
}

// taskCard is the place of the conversation's tasks, which the desk of tasks fills.
func taskCard(r *desk.Request, c support.Conversation) []chatview.Card {
	if !r.May(access.TaskView) {
		return nil
	}
	return []chatview.Card{{ID: "conversation-tasks", Load: ui.To(home+"/{}/tasks", c.ID)}}
}

// mentioning makes a note tell the colleagues that it names, among those who may read it.
func (s Services) mentioning(r *desk.Request, conversationID int64) (func(context.Context, *db.Tx, support.Message) error, error) {
	people, err := r.Colleagues(access.ChatView)
	return func(ctx context.Context, tx *db.Tx, m support.Message) error {
		note := task.Note{Place: task.InConversation, PlaceID: conversationID, NoteID: m.ID, Text: m.Body}
		return s.Tasks.MentionTx(ctx, tx, r.Actor(), note, task.Mentioned(m.Body, people))
	}, err
}
