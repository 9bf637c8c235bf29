// SPDX-License-Identifier: Apache-2.0
// A queue whose middle may lie in a file, so that it needs little memory however long it grows.
#ifndef TPU_MODELS_CORE_SPILL_QUEUE_H
#define TPU_MODELS_CORE_SPILL_QUEUE_H

#include <cstdio>
#include <deque>
#include <memory>
#include <vector>

namespace tpu::core {

// The file that several queues share; it goes when they do.
class spill_file {
public:
  // Where the bytes lie, or -1: they could not be written.
  long write(const void *bytes, std::size_t size) {
    if (file_ == nullptr) {
      file_.reset(std::tmpfile());
    }
    std::FILE *const f = file_.get();
    if (f == nullptr || std::fseek(f, end_, SEEK_SET) != 0 ||
        std::fwrite(bytes, 1, size, f) != size || std::fflush(f) != 0) {
      return -1;
    }
    const long at = end_;
    end_ += static_cast<long>(size);
    ++pieces_;
    return at;
  }
  bool read(long at, void *bytes, std::size_t size) {
    std::FILE *const f = file_.get();
    const bool good = std::fseek(f, at, SEEK_SET) == 0 && std::fread(bytes, 1, size, f) == size;
    end_ = --pieces_ == 0 ? 0 : end_; // nothing is in it any more
    return good;
  }

private:
  struct closer {
    void operator()(std::FILE *f) const { (void)std::fclose(f); }
  };
  std::unique_ptr<std::FILE, closer> file_;
  long end_ = 0;
  long pieces_ = 0;
};

template <class T> class spill_queue {
public:
  bool empty() const { return next_ == front_.size() && back_.empty() && in_file_ == nullptr; }
  bool has_front() const { return next_ != front_.size(); } // at hand
  // Of one that is not empty; after normalise().
  const T &front() const { return front_[next_]; }
  void pop() { ++next_; }
  void push(const T &value) { back_.push_back(value); }
  std::size_t in_memory() const { return front_.size() - next_ + back_.size(); }

  // Moves what was pushed to the file; where that fails it stays.
  void spill(spill_file &file) {
    const long at = back_.empty() ? -1 : file.write(back_.data(), back_.size() * sizeof(T));
    if (at >= 0) {
      if (in_file_ == nullptr) {
        in_file_ = std::make_unique<std::deque<piece>>();
      }
      in_file_->push_back({at, back_.size()});
      back_.clear();
      back_.shrink_to_fit();
    }
  }
  // Has the front at hand, if there is one. False: it could not be read back.
  bool normalise(spill_file &file) {
    if (has_front()) {
      return true;
    }
    front_.clear();
    next_ = 0;
    if (in_file_ == nullptr) {
      front_.swap(back_);
      return true;
    }
    const piece p = in_file_->front();
    in_file_->pop_front();
    if (in_file_->empty()) {
      in_file_.reset();
    }
    front_.resize(p.count);
    return file.read(p.at, front_.data(), p.count * sizeof(T));
  }
  void clear() {
    front_.clear();
    back_.clear();
    in_file_.reset();
    next_ = 0;
  }

private:
  struct piece {
    long at;
    std::size_t count;
  };
  std::vector<T> front_; // the oldest, from next_ on
  std::size_t next_ = 0;
  std::vector<T> back_;                        // the newest
  std::unique_ptr<std::deque<piece>> in_file_; // those between, unless there are none
};

} // namespace tpu::core
#endif
